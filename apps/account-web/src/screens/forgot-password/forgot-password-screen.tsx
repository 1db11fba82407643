import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { getRouteApi } from "@tanstack/react-router";
import { EmailForm } from "../../components/email-form.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { CardPage } from "../../components/card-page.tsx";

const route = getRouteApi("/forgot-password");

/** Mails a link to choose a new password. It says the same for unknown emails. */
export const ForgotPasswordScreen = () => {
  const t = useTranslation("password");
  const { redirect_to } = route.useSearch();
  const send = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (email: string) =>
      call(operations.identity.requestPasswordReset, {
        body: { email, redirectTo: addressOf("/reset-password", { redirect_to }) },
      }),
  });
  const back = (
    <TextLink to="/sign-in" search={{ redirect_to }}>
      {t("backToSignIn")}
    </TextLink>
  );
  if (send.isSuccess)
    return (
      <CardPage
        title={t("sent.title")}
        lead={t("sent.text", { email: send.variables })}
        aside={back}
      />
    );
  return (
    <CardPage title={t("forgot.title")} lead={t("forgot.text")} aside={back}>
      <EmailForm action={t("forgot.submit")} change={send} onEmail={send.mutate} />
    </CardPage>
  );
};
