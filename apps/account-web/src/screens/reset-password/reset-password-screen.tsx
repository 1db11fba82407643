import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { passwordFault, passwordLengthMin } from "../../components/new-password-rule.ts";
import { CardPage } from "../../components/card-page.tsx";

const route = getRouteApi("/reset-password");

/** Keeps the token of the link in memory, and removes it from the address and the history. */
const useLinkToken = (): string | undefined => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [token] = useState(search.token);
  const hide = useEffectEvent(() =>
    navigate({ search: (shown) => ({ ...shown, token: undefined }), replace: true }),
  );
  const isShown = search.token !== undefined;
  useEffect(() => {
    if (isShown) void hide();
  }, [isShown]);
  return token;
};

const LinkFailed = () => {
  const { t } = useTranslation("password");
  const { redirect_to } = route.useSearch();
  return (
    <CardPage title={t("linkFailed.title")} lead={t("linkFailed.text")}>
      <Link to="/forgot-password" search={{ redirect_to }} className={buttonStyle("primary")}>
        {t("linkFailed.again")}
      </Link>
    </CardPage>
  );
};

/** Sets a new password by a mailed link. */
export const ResetPasswordScreen = () => {
  const { t } = useTranslation("password");
  const { error, redirect_to } = route.useSearch();
  const token = useLinkToken();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { newPassword: "" } });
  const reset = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (newPassword: string) =>
      call(operations.identity.resetPassword, { body: { newPassword, token: token ?? "" } }),
  });
  const isUsed = reset.error instanceof ApiError && reset.error.code === "INVALID_TOKEN";
  if (error !== undefined || token === undefined || isUsed) return <LinkFailed />;
  if (reset.isSuccess)
    return (
      <CardPage title={t("changed.title")} lead={t("changed.text")}>
        <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("changed.signIn")}
        </Link>
      </CardPage>
    );
  return (
    <CardPage title={t("reset.title")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) =>
          void handleSubmit(({ newPassword }) => reset.mutate(newPassword))(event)
        }
      >
        <TextField
          {...register("newPassword", {
            validate: (text) => {
              const fault = passwordFault(text);
              return fault === undefined || t(fault, { count: passwordLengthMin });
            },
          })}
          label={t("newPassword")}
          hint={t("hint", { count: passwordLengthMin })}
          error={formState.errors.newPassword?.message}
          type="password"
          autoComplete="new-password"
          autoFocus
          dir="ltr"
        />
        {reset.error && <FormError error={reset.error} />}
        <Button type="submit" kind="primary" className="h-10" isBusy={reset.isPending}>
          {t("reset.submit")}
        </Button>
      </form>
    </CardPage>
  );
};
