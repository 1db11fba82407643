import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { NewPasswordField } from "../../components/new-password-field.tsx";
import { CardPage } from "../../components/card-page.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";

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
  const t = useTranslation("password");
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
  const t = useTranslation("password");
  const { error, redirect_to } = route.useSearch();
  const token = useLinkToken();
  const reset = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (newPassword: string) =>
      call(operations.identity.resetPassword, { body: { newPassword, token: token ?? "" } }),
  });
  const form = useForm({
    defaultValues: { newPassword: "" },
    change: reset,
    onSubmit: ({ newPassword }) => reset.mutate(newPassword),
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
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={reset.isPending}>
            {t("reset.submit")}
          </Button>
        }
      >
        <NewPasswordField
          label={t("newPassword")}
          field={(rules) => form.field("newPassword", rules)}
          autoFocus
        />
        {isOffered(operations.apikey.listApiKeys) && (
          <p className="text-muted">{t(facts.keySessions ? "reset.keysEnd" : "reset.keysStay")}</p>
        )}
      </Form>
    </CardPage>
  );
};
