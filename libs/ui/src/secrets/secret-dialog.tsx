import type { ReactNode } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useKeptSecret } from "./use-kept-secret.ts";

interface KeptSecret {
  isWarned: boolean;
  onCopied: () => void;
  onClose: () => void;
}

interface SecretDialogProps<Reply extends object> {
  title: string;
  /** The title once the secret exists. */
  createdTitle: string;
  closeLabel?: string | undefined;
  /** The reply with the secret. */
  created: Reply | undefined;
  isPending: boolean;
  onClose: () => void;
  form: (onCancel: () => void) => ReactNode;
  children: (created: Reply, kept: KeptSecret) => ReactNode;
}

/** A dialog with a form, and then with the secret that the form has created. It protects the secret from being lost by accident. */
export const SecretDialog = <Reply extends object>(props: SecretDialogProps<Reply>) => {
  const { title, createdTitle, closeLabel, created, isPending, onClose, form, children } = props;
  const { isWarned, onCopied, mayClose } = useKeptSecret(created, isPending);
  const close = () => {
    if (mayClose()) onClose();
  };
  return (
    <Dialog
      title={created ? createdTitle : title}
      closeLabel={closeLabel}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className={created ? "max-w-xl" : undefined}
    >
      {created ? children(created, { isWarned, onCopied, onClose: close }) : form(close)}
    </Dialog>
  );
};
