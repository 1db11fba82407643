import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { PasswordField } from "../../components/account/password-field.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { CheckField, TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { passwordFault, passwordLengthMin } from "../../components/new-password-rule.ts";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { hasPassword, type SignInAccount } from "./sign-in-account.ts";

const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(["security", "password", "errors"]);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { currentPassword: "", newPassword: "", revokeOtherSessions: true },
  });
  const change = useAct(operations.identity.changePassword, {
    done: t("password.changed"),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t("password.change")}
      action={t("password.save")}
      change={change}
      onSubmit={handleSubmit((body) => change.mutate({ body }))}
      onClose={onClose}
    >
      <PasswordField
        {...register("currentPassword", { required: t("errors:required") })}
        error={formState.errors.currentPassword?.message}
      />
      <TextField
        {...register("newPassword", {
          validate: (text) => {
            const fault = passwordFault(text);
            return fault === undefined || t(`password:${fault}`, { count: passwordLengthMin });
          },
        })}
        label={t("password:newPassword")}
        hint={t("password:hint", { count: passwordLengthMin })}
        error={formState.errors.newPassword?.message}
        type="password"
        autoComplete="new-password"
        dir="ltr"
      />
      <CheckField {...register("revokeOtherSessions")} label={t("password.endOthers")} />
    </FormDialog>
  );
};

/** A user without a password sets one by a mailed link, which proves that the email is theirs. */
const SetPassword = () => {
  const { t } = useTranslation("security");
  const { data: session } = useQuery(sessionQuery);
  const send = useAct(operations.identity.requestPasswordReset, { done: t("password.sent") });
  const email = session?.user.email ?? "";
  return (
    <>
      <Rows label={t("password.title")}>
        <Row
          title={t("password.none")}
          details={t("password.noneText", { email })}
          actions={
            <Button
              isBusy={send.isPending}
              onClick={() =>
                send.mutate({ body: { email, redirectTo: addressOf("/reset-password") } })
              }
            >
              {t("password.sendLink")}
            </Button>
          }
        />
      </Rows>
      {send.error && <FormError error={send.error} />}
    </>
  );
};

/** The password of the user. */
export const Password = ({ accounts }: { accounts: readonly SignInAccount[] }) => {
  const { t } = useTranslation("security");
  const [isChanging, setIsChanging] = useState(false);
  if (!hasPassword(accounts)) return <SetPassword />;
  return (
    <>
      <Rows label={t("password.title")}>
        <Row
          title={t("password.set")}
          actions={<Button onClick={() => setIsChanging(true)}>{t("password.change")}</Button>}
        />
      </Rows>
      {isChanging && <ChangePassword onClose={() => setIsChanging(false)} />}
    </>
  );
};
