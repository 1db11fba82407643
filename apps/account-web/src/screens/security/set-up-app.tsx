import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { RecoveryCodes } from "../../components/account/second-factor/recovery-codes.tsx";
import {
  prepareApp,
  type PreparedApp,
  ScanApp,
} from "../../components/account/second-factor/scan-app.tsx";
import { useReread } from "../../components/account/use-reread.ts";
import { PasswordDialog } from "./password-dialog.tsx";

/** Sets up an authenticator app: shows its secret, verifies its first code, and shows the recovery codes once. */
export const SetUpApp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("security");
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
      description={t("factor.othersEnd")}
      action={t("factor.next")}
      change={begin}
      onPassword={begin.mutate}
      onClose={onClose}
    />
  );
};
