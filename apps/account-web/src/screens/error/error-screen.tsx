import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CompleteSignUp } from "../../components/additional-fields/complete-sign-up.tsx";
import { isMissingFieldCode } from "../../components/additional-fields/lacks-fields.ts";
import { CardPage } from "../../components/card-page.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../languages.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { failureOf } from "./failure-of.ts";

const route = getRouteApi("/error");

/** Completes a sign-up by a link or a provider, which the server keeps for some minutes. */
const Incomplete = ({ redirect_to }: { redirect_to: string | undefined }) => {
  const t = useTranslation("links");
  const arrive = useArrive();
  const navigate = route.useNavigate();
  const complete = async (body: Record<string, unknown>) => {
    const reply = await call(operations.identity.completeSignUp, { body }).catch(
      (thrown: unknown) => {
        if (thrown instanceof ApiError && thrown.code === "INVALID_TOKEN") return undefined;
        throw thrown;
      },
    );
    if (!reply) return navigate({ to: "/sign-in", search: { redirect_to, reason: "expired" } });
    if (!("twoFactorRedirect" in reply)) return arrive();
    const { twoFactorMethods, twoFactorEnrolment } = reply;
    return navigate({
      to: "/continue",
      search: {
        redirect_to,
        twoFactorRedirect: "true",
        twoFactorMethods: twoFactorMethods.join(","),
        ...(twoFactorEnrolment && { twoFactorEnrolment: "true" }),
      },
    });
  };
  return (
    <CompleteSignUp
      complete={complete}
      aside={
        <TextLink to="/sign-in" search={{ redirect_to }}>
          {t("toSignIn")}
        </TextLink>
      }
    />
  );
};

/** Says why a sign-in or a link failed, and leads back to the sign-in. */
export const ErrorScreen = () => {
  const t = useTranslation("links");
  const { error, redirect_to } = route.useSearch();
  const failure = failureOf(error);
  if (isMissingFieldCode(error)) return <Incomplete redirect_to={redirect_to} />;
  if (failure === "otherEmail" || failure === "taken")
    return (
      <CardPage
        outcome="failed"
        title={t(`failures.${failure}.title`)}
        lead={t(`failures.${failure}.text`)}
      >
        <Link to="/continue" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("page:back")}
        </Link>
      </CardPage>
    );
  if (failure === "full")
    return (
      <CardPage outcome="failed" title={t("failures.full.title")} lead={t("failures.full.text")}>
        <Link to="/choose" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("signIn:manageUsers")}
        </Link>
      </CardPage>
    );
  if (failure === "unverified")
    return (
      <CardPage
        outcome="mailed"
        title={t("failures.unverified.title")}
        lead={t("failures.unverified.text")}
      >
        <Link to="/verify-email" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("verification:submit")}
        </Link>
      </CardPage>
    );
  return (
    <CardPage
      outcome="failed"
      title={t(`failures.${failure}.title`)}
      lead={t(`failures.${failure}.text`)}
    >
      <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
        {t("toSignIn")}
      </Link>
    </CardPage>
  );
};
