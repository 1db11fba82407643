import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { PasswordField } from "../../components/account/password-field.tsx";
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
export const DeleteAccount = ({ hasPassword, onClose }: DeleteAccountProps) => {
  const { t } = useTranslation(["data", "errors"]);
  const { isMailed, deletion } = useDeletion();
  const { data: session } = useQuery(sessionQuery);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { password: "" } });
  if (isMailed)
    return (
      <OpenDialog title={t("delete.mailedTitle")} onClose={onClose}>
        <div className="flex flex-col gap-4">
          <p>{t("delete.mailedText", { email: session?.user.email ?? "" })}</p>
          <Button kind="primary" onClick={onClose}>
            {t("delete.done")}
          </Button>
        </div>
      </OpenDialog>
    );
  return (
    <FormDialog
      title={t("delete.confirmTitle")}
      description={t("delete.text")}
      action={t("delete.action")}
      isDangerous
      change={deletion}
      onSubmit={handleSubmit(({ password }) => deletion.mutate(password || undefined))}
      onClose={onClose}
    >
      {hasPassword && (
        <PasswordField
          {...register("password", { required: t("errors:required") })}
          error={formState.errors.password?.message}
        />
      )}
    </FormDialog>
  );
};
