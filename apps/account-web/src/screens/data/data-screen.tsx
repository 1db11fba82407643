import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { saveFile } from "@latchkey/ui/save-file.ts";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { FormError } from "../../components/form-error.tsx";
import { facts } from "../../facts.ts";
import { collectData } from "./collect-data.ts";
import { DeleteAccount } from "./delete-account.tsx";

const Export = () => {
  const { t } = useTranslation("data");
  const collect = useChange({
    mutationFn: collectData,
    onSuccess: (data) =>
      saveFile(
        new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }),
        `${t("export.fileName", { name: facts.branding.name })}.json`,
      ),
  });
  return (
    <Panel title={t("export.title")} text={t("export.text")}>
      {collect.error && <FormError error={collect.error} />}
      <div>
        <Button isBusy={collect.isPending} onClick={() => collect.mutate()}>
          <Download />
          {t("export.action")}
        </Button>
      </div>
    </Panel>
  );
};

const Deletion = () => {
  const { t } = useTranslation("data");
  const [isOpen, setIsOpen] = useState(false);
  const { data: accounts } = useQuery(operationQuery(operations.identity.listAccounts, {}));
  return (
    <Panel title={t("delete.title")} text={t("delete.text")}>
      <div>
        <Button kind="danger" disabled={!accounts} onClick={() => setIsOpen(true)}>
          {t("delete.action")}
        </Button>
      </div>
      {isOpen && accounts && (
        <DeleteAccount
          hasPassword={accounts.some(({ providerId }) => providerId === "credential")}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Panel>
  );
};

/** The export of the user's data, and the deletion of the account. */
export const DataScreen = () => {
  const { t } = useTranslation("data");
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <Export />
      {facts.changes.deletion && <Deletion />}
    </Screen>
  );
};
