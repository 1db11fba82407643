import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { saveFile } from "@latchkey/ui/save-file.ts";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { Panel } from "../../components/account/panel.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { collectData } from "./collect-data.ts";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { PresentPasswordField } from "../../components/account/present-password-field.tsx";
import { useKeyEffect } from "../../components/account/use-key-effect.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { sessionQuery } from "../../session/session-query.ts";

interface DeleteAccountProps {
  hasPassword: boolean;
  onClose: () => void;
}

/** Deletes the account at once, or by a mailed link if the installation requires that. */
const useDeletion = () => {
  const [isMailed, setIsMailed] = useState(false);
  const deletion = useChange({
    mutationFn: async (password: string | undefined) => {
      const callbackURL = outcomeAddress("/delete-account");
      await call(operations.identity.deleteUser, { body: { password, callbackURL } });
      const session = await call(operations.identity.getSession, {
        query: { disableCookieCache: "true" },
      });
      if (session) setIsMailed(true);
      // Loads the page anew, which leaves no data in memory.
      else window.location.assign(callbackURL);
    },
  });
  return { isMailed, deletion };
};

/** Asks for the password, if there is one, and deletes the account. */
const DeleteAccount = ({ hasPassword, onClose }: DeleteAccountProps) => {
  const t = useTranslation("data");
  const keyEffect = useKeyEffect();
  const { isMailed, deletion } = useDeletion();
  const { data: session } = useQuery(sessionQuery);
  const form = useForm({
    defaultValues: { password: "" },
    change: deletion,
    onSubmit: ({ password }) => deletion.mutate(password || undefined),
  });
  if (isMailed)
    return (
      <OpenDialog title={t("delete.mailedTitle")} onClose={onClose}>
        <div className="flex flex-col gap-4">
          <p>{t("delete.mailedText", { email: showEmail(session?.user.email ?? "") })}</p>
          <Button kind="primary" onClick={onClose}>
            {t("delete.done")}
          </Button>
        </div>
      </OpenDialog>
    );
  return (
    <FormDialog
      form={form}
      title={t("delete.confirmTitle")}
      description={`${t("delete.text")} ${keyEffect("deleted")}`}
      action={t("delete.action")}
      isDangerous
      onClose={onClose}
    >
      {hasPassword && (
        <PresentPasswordField {...form.field("password", { required: t("errors:required") })} />
      )}
    </FormDialog>
  );
};

const Export = () => {
  const t = useTranslation("data");
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
  const t = useTranslation("data");
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
  const t = useTranslation("data");
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <Export />
      {facts.changes.deletion && <Deletion />}
    </Screen>
  );
};
