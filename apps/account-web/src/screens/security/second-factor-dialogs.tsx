import { operations } from "@latchkey/ui/api/contracts.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { RecoveryCodes } from "../../components/account/second-factor/recovery-codes.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { useReread } from "../../components/account/use-reread.ts";
import { EnterCode } from "../../components/second-factor/enter-code.tsx";
import { PasswordDialog } from "./password-dialog.tsx";

const { disableTwoFactor, generateBackupCodes } = operations.identity;

interface DialogProps {
  onClose: () => void;
}

/** Turns codes by email on. The first code proves that they arrive, so nobody locks themself out. */
export const TurnOnMail = ({ onClose }: DialogProps) => {
  const { t } = useTranslation("security");
  const reread = useReread();
  return (
    <OpenDialog
      title={t("factor.mail.turnOn")}
      description={t("factor.othersEnd")}
      onClose={onClose}
    >
      <EnterCode
        kind="mail"
        isProof={false}
        action={t("factor.turnOn")}
        offersTrust={false}
        onPassed={async () => {
          toasts.add({ title: t("factor.mail.done"), type: "success" });
          await reread();
          onClose();
        }}
        onEnded={onClose}
      />
    </OpenDialog>
  );
};

/** Replaces the recovery codes, and shows the new ones once. */
export const NewCodes = ({ onClose }: DialogProps) => {
  const { t } = useTranslation("security");
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useAct(generateBackupCodes, {
    onDone: ({ backupCodes }) => setCodes(backupCodes),
  });
  if (codes)
    return (
      <OpenDialog title={t("factor.codes.name")} onClose={onClose}>
        <RecoveryCodes codes={codes} onKept={onClose} />
      </OpenDialog>
    );
  return (
    <PasswordDialog
      title={t("factor.codes.renewTitle")}
      description={t("factor.codes.renewText")}
      action={t("factor.codes.renew")}
      change={renew}
      onPassword={(password) => renew.mutate({ body: { password } })}
      onClose={onClose}
    />
  );
};

export const TurnOff = ({ onClose }: DialogProps) => {
  const { t } = useTranslation("security");
  const turnOff = useAct(disableTwoFactor, { done: t("factor.off.done"), onDone: onClose });
  return (
    <PasswordDialog
      title={t("factor.off.title")}
      description={t("factor.off.text")}
      action={t("factor.off.action")}
      isDangerous
      change={turnOff}
      onPassword={(password) => turnOff.mutate({ body: { password } })}
      onClose={onClose}
    />
  );
};
