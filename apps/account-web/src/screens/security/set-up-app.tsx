import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { QrCode } from "@latchkey/ui/components/qr-code.tsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/account/copy-button.tsx";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { useReread } from "../../components/account/use-reread.ts";
import { EnterCode } from "../../components/second-factor/enter-code.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface Prepared {
  uri: string;
  codes: readonly string[];
}

const prepare = async (password: string | undefined): Promise<Prepared> => {
  const { totpURI = "", backupCodes = [] } = await call(operations.identity.enableTwoFactor, {
    body: { password, method: "totp" },
  });
  return { uri: totpURI, codes: backupCodes };
};

interface ScanProps {
  uri: string;
  onPassed: () => void;
  onEnded: () => void;
}

/** Shows the secret of a prepared app, and turns the app on by its first code. */
const Scan = ({ uri, onPassed, onEnded }: ScanProps) => {
  const { t } = useTranslation("security");
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <div className="flex flex-col gap-4">
      <p>{t("factor.app.scan")}</p>
      <QrCode text={uri} label={t("factor.app.qrCode")} />
      <div className="flex flex-wrap items-center justify-center gap-2">
        <span className="sr-only">{t("factor.app.key")}</span>
        <code dir="ltr" className="font-mono text-xs break-all">
          {secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
        </code>
        <CopyButton text={secret} label={t("factor.app.copyKey")} />
      </div>
      <EnterCode
        kind="app"
        isProof={false}
        action={t("factor.turnOn")}
        offersTrust={false}
        onPassed={onPassed}
        onEnded={onEnded}
      />
    </div>
  );
};

/** Sets up an authenticator app: shows its secret, verifies its first code, and shows the recovery codes once. */
export const SetUpApp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("security");
  const reread = useReread();
  const [prepared, setPrepared] = useState<Prepared>();
  const [isOn, setIsOn] = useState(false);
  const begin = useChange({ mutationFn: prepare, onSuccess: setPrepared });
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
        <Scan uri={prepared.uri} onPassed={() => setIsOn(true)} onEnded={onClose} />
      </OpenDialog>
    );
  return (
    <PasswordDialog
      title={t("factor.app.turnOn")}
      description={t("factor.othersEnd")}
      action={t("factor.next")}
      change={begin}
      onPassword={begin.mutate}
      onClose={onClose}
    />
  );
};
