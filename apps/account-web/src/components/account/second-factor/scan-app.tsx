import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { QrCode } from "@latchkey/ui/components/qr-code.tsx";
import { useTranslation } from "../../../languages.ts";
import { EnterCode } from "../../second-factor/enter-code.tsx";
import { CopyButton } from "../copy-button.tsx";

/** An authenticator app that is not on yet. */
export interface PreparedApp {
  uri: string;
  codes: readonly string[];
}

/** Prepares an app. A sign-in that waits for its second factor has just shown the password. */
export const prepareApp = async (password?: string): Promise<PreparedApp> => {
  const { totpURI = "", backupCodes = [] } = await call(operations.identity.enableTwoFactor, {
    body: { password, method: "totp" },
  });
  return { uri: totpURI, codes: backupCodes };
};

interface ScanAppProps {
  uri: string;
  onPassed: () => void;
  onEnded: (reason: "expired" | "tooMany") => void;
}

/** Shows the secret of a prepared app, and turns the app on by its first code. */
export const ScanApp = ({ uri, onPassed, onEnded }: ScanAppProps) => {
  const t = useTranslation("security");
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
