import { NewSecret } from "@latchkey/ui/secrets/new-secret.tsx";
import { SecretDialog as Dialog } from "@latchkey/ui/secrets/secret-dialog.tsx";
import type { ReactNode } from "react";
import { useTranslation } from "../../languages.ts";

interface SecretDialogProps<Reply extends object> {
  title: string;
  /** The title once the secret exists. */
  createdTitle: string;
  /** The label of the secret. */
  label: string;
  /** The reply with the secret. */
  created: Reply | undefined;
  secretOf: (created: Reply) => string;
  isPending: boolean;
  onClose: () => void;
  form: (onClose: () => void) => ReactNode;
}

/** A dialog with a form, and then with the secret that the form has created, which is available only there. */
export const SecretDialog = <Reply extends object>(props: SecretDialogProps<Reply>) => {
  const { label, secretOf, ...dialog } = props;
  const t = useTranslation("account");
  const texts = {
    label,
    keep: t("secret.keep"),
    lost: t("secret.lost"),
    copy: t("secret.copy"),
    copied: t("copied"),
    copyFailed: t("copyFailed"),
    done: t("secret.done"),
  };
  return (
    <Dialog {...dialog} closeLabel={t("close")}>
      {(created, kept) => <NewSecret texts={texts} secret={secretOf(created)} {...kept} />}
    </Dialog>
  );
};
