import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useState, type ReactNode } from "react";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useOperation, useReread } from "@latchkey/ui/api/use-operation.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { Moment } from "../../components/account/moment.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { RecoveryCodes } from "../../components/account/second-factor/recovery-codes.tsx";
import { useKeyEffect } from "../../components/account/use-key-effect.ts";
import { EnterCode } from "../../components/second-factor/enter-code.tsx";
import {
  prepareApp,
  type PreparedApp,
  ScanApp,
} from "../../components/account/second-factor/scan-app.tsx";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { PresentPasswordField } from "../../components/account/present-password-field.tsx";
import { hasPassword } from "./sign-in-account.ts";

interface PasswordDialogProps {
  title: string;
  description: ReactNode;
  action: string;
  isDangerous?: boolean;
  change: Sending;
  /** The password is undefined if the user has none. */
  onPassword: (password: string | undefined) => void;
  onClose: () => void;
}

/** Whether the user has a password, which changes of the second factor ask for. Assumes one until it is known. */
const useHasPassword = (): boolean => {
  const { data } = useQuery(operationQuery(operations.identity.listAccounts, {}));
  return data === undefined || hasPassword(data);
};

/** Confirms a change by the password of the user, if they have one. */
const PasswordDialog = ({ onPassword, change, ...dialog }: PasswordDialogProps) => {
  const t = useTranslation("errors");
  const needsPassword = useHasPassword();
  const form = useForm({
    defaultValues: { password: "" },
    change,
    onSubmit: ({ password }) => onPassword(password || undefined),
  });
  return (
    <FormDialog {...dialog} form={form}>
      {needsPassword && (
        <PresentPasswordField {...form.field("password", { required: t("required") })} />
      )}
    </FormDialog>
  );
};

/** Sets up an authenticator app: shows its secret, verifies its first code, and shows the recovery codes once. */
const SetUpApp = ({ onClose }: { onClose: () => void }) => {
  const t = useTranslation("security");
  const keyEffect = useKeyEffect();
  const reread = useReread();
  const [prepared, setPrepared] = useState<PreparedApp>();
  const [isOn, setIsOn] = useState(false);
  const begin = useChange({
    mutationFn: (password: string | undefined) => prepareApp(password),
    onSuccess: setPrepared,
  });
  const finish = () => {
    onClose();
    void reread();
  };
  if (prepared && isOn)
    return (
      <OpenDialog title={t("factor.codes.name")} onClose={finish}>
        <RecoveryCodes codes={prepared.codes} onKept={finish} />
      </OpenDialog>
    );
  if (prepared)
    return (
      <OpenDialog title={t("factor.app.turnOn")} onClose={onClose}>
        <ScanApp uri={prepared.uri} onPassed={() => setIsOn(true)} onEnded={onClose} />
      </OpenDialog>
    );
  return (
    <PasswordDialog
      title={t("factor.app.turnOn")}
      description={`${t("factor.othersEnd")} ${keyEffect("factor")}`}
      action={t("factor.next")}
      change={begin}
      onPassword={begin.mutate}
      onClose={onClose}
    />
  );
};

const { disableTwoFactor, generateBackupCodes } = operations.identity;

interface DialogProps {
  onClose: () => void;
}

/** Turns codes by email on. The first code proves that they arrive, so nobody locks themself out. Then shows recovery codes. */
const TurnOnMail = ({ onClose }: DialogProps) => {
  const t = useTranslation("security");
  const keyEffect = useKeyEffect();
  const reread = useReread();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes)
    return (
      <OpenDialog title={t("factor.codes.name")} onClose={onClose}>
        <RecoveryCodes codes={codes} onKept={onClose} />
      </OpenDialog>
    );
  return (
    <OpenDialog
      title={t("factor.mail.turnOn")}
      description={`${t("factor.othersEnd")} ${keyEffect("factor")}`}
      onClose={onClose}
    >
      <EnterCode
        kind="mail"
        isProof={false}
        action={t("factor.turnOn")}
        offersTrust={false}
        onPassed={async (backupCodes) => {
          toasts.add({ title: t("factor.mail.done"), type: "success" });
          setCodes(backupCodes);
          await reread();
          if (!backupCodes) onClose();
        }}
        onEnded={onClose}
      />
    </OpenDialog>
  );
};

/** Replaces the recovery codes, and shows the new ones once. */
const NewCodes = ({ onClose }: DialogProps) => {
  const t = useTranslation("security");
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useOperation(generateBackupCodes, {
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

const TurnOff = ({ onClose }: DialogProps) => {
  const t = useTranslation("security");
  const turnOff = useOperation(disableTwoFactor, { done: t("factor.off.done"), onDone: onClose });
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

type Status = CallReply<typeof operations.identity.readTwoFactorStatus>;

const dialogs = { app: SetUpApp, mail: TurnOnMail, codes: NewCodes, off: TurnOff } as const;
type DialogName = keyof typeof dialogs;

const methods = [
  { method: "totp", name: "app" },
  { method: "otp", name: "mail" },
] as const;

interface PartProps {
  status: Status;
  onOpen: (dialog: DialogName) => void;
}

/** The methods that are on, or that can be turned on. */
const Methods = ({ status, onOpen }: PartProps) => {
  const t = useTranslation("security");
  return methods
    .filter(({ method }) => [...status.methods, ...status.available].includes(method))
    .map(({ method, name }) => (
      <Row
        key={method}
        title={t(`factor.${name}.name`)}
        badges={status.methods.includes(method) && <Badge tone="success">{t("factor.on")}</Badge>}
        details={t(`factor.${name}.text`)}
        actions={
          status.available.includes(method) && (
            <Button onClick={() => onOpen(name)}>{t(`factor.${name}.turnOn`)}</Button>
          )
        }
      />
    ));
};

/** The state of the user's second factor, and its changes. */
export const SecondFactor = ({ status }: { status: Status }) => {
  const t = useTranslation("security");
  const [open, setOpen] = useState<DialogName>();
  const { enabled, required, lockedUntil, backupCodesLeft } = status;
  const Dialog = open && dialogs[open];
  return (
    <>
      {required && !enabled && <Notice tone="warning">{t("factor.required")}</Notice>}
      {lockedUntil && (
        <Notice tone="warning">
          {t("factor.locked")} <Moment at={lockedUntil} />
        </Notice>
      )}
      <Rows label={t("factor.title")}>
        <Methods status={status} onOpen={setOpen} />
        {enabled && (
          <Row
            title={t("factor.codes.name")}
            details={t("factor.codes.left", { count: backupCodesLeft })}
            actions={<Button onClick={() => setOpen("codes")}>{t("factor.codes.renew")}</Button>}
          />
        )}
      </Rows>
      {enabled && !required && (
        <div>
          <Button onClick={() => setOpen("off")}>{t("factor.off.action")}</Button>
        </div>
      )}
      {Dialog && <Dialog onClose={() => setOpen(undefined)} />}
    </>
  );
};
