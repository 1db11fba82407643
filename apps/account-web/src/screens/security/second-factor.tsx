import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { NewCodes, TurnOff, TurnOnMail } from "./second-factor-dialogs.tsx";
import { SetUpApp } from "./set-up-app.tsx";

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
  const { t } = useTranslation("security");
  return methods
    .filter(({ method }) => [...status.methods, ...status.available].includes(method))
    .map(({ method, name }) => (
      <Row
        key={method}
        title={
          <>
            {t(`factor.${name}.name`)}
            {status.methods.includes(method) && <Badge tone="success">{t("factor.on")}</Badge>}
          </>
        }
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
  const { t } = useTranslation("security");
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
