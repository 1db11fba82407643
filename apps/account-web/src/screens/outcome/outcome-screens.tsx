import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { NextStep } from "../../components/next-step.tsx";
import {
  sendVerification,
  takesVerificationCodes,
} from "../../components/verification/send-verification.ts";
import { VerificationForm } from "../../components/verification/verification-form.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { CardPage } from "../../components/card-page.tsx";
import { Splash } from "../../shell/splash.tsx";

const verifyEmailRoute = getRouteApi("/verify-email");
const changeEmailRoute = getRouteApi("/change-email");
const deleteAccountRoute = getRouteApi("/delete-account");
const doneRoute = getRouteApi("/done");

/** Leads on: a signed-in user to the page that they wanted, and others to the sign-in. */
const Onward = ({ redirect_to }: { redirect_to: string | undefined }) => {
  const t = useTranslation("links");
  const { data: session } = useQuery(sessionQuery);
  const arrive = useArrive();
  if (session)
    return (
      <Button kind="primary" onClick={() => void arrive()}>
        {t("page:continue")}
      </Button>
    );
  return (
    <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
      {t("toSignIn")}
    </Link>
  );
};

/** Takes a code, or mails another link. */
const AnotherMail = ({ redirect_to }: { redirect_to: string | undefined }) => {
  const client = useQueryClient();
  const navigate = verifyEmailRoute.useNavigate();
  const { data: session } = useQuery(sessionQuery);
  return (
    <VerificationForm
      email={session?.user.email}
      takesCode={takesVerificationCodes}
      send={(email) => sendVerification(email, redirect_to)}
      onVerified={async ({ twoFactorRedirect, twoFactorMethods, twoFactorEnrolment }) => {
        if (twoFactorRedirect)
          return navigate({
            to: "/continue",
            search: {
              redirect_to,
              twoFactorRedirect: "true",
              twoFactorMethods: twoFactorMethods?.join(),
              ...(twoFactorEnrolment && { twoFactorEnrolment: "true" }),
            },
          });
        await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
        return navigate({ search: { redirect_to, outcome: "done" } });
      }}
    />
  );
};

export const VerifyEmailScreen = () => {
  const t = useTranslation("links");
  const { error, outcome, redirect_to } = verifyEmailRoute.useSearch();
  const { data: session, isPending } = useQuery(sessionQuery);
  if (error !== undefined)
    return (
      <CardPage outcome="failed" title={t("failures.link.title")} lead={t("verifyEmail.failed")}>
        <AnotherMail redirect_to={redirect_to} />
      </CardPage>
    );
  if (isPending) return <Splash />;
  const open = takesVerificationCodes ? t("verification:unknown") : t("verifyEmailOpen.text");
  // The session knows better than the address, which anyone can write.
  const isVerified = session ? session.user.emailVerified : outcome === "done";
  if (!isVerified)
    return (
      <CardPage outcome="mailed" title={t("verifyEmailOpen.title")} lead={open}>
        <AnotherMail redirect_to={redirect_to} />
      </CardPage>
    );
  return (
    <CardPage outcome="done" title={t("verifyEmail.title")} lead={t("verifyEmail.text")}>
      <Onward redirect_to={redirect_to} />
    </CardPage>
  );
};

export const ChangeEmailScreen = () => {
  const t = useTranslation("links");
  const { error, outcome, redirect_to } = changeEmailRoute.useSearch();
  const acted = outcome === "done" ? "changeEmail" : "done";
  const part = error === undefined ? acted : "changeEmailFailed";
  return (
    <CardPage
      outcome={error === undefined ? "done" : "failed"}
      title={t(`${part}.title`)}
      lead={t(`${part}.text`)}
    >
      <Onward redirect_to={redirect_to} />
    </CardPage>
  );
};

export const DeleteAccountScreen = () => {
  const t = useTranslation("links");
  const { error, outcome, redirect_to } = deleteAccountRoute.useSearch();
  const { data: session, isPending } = useQuery(sessionQuery);
  if (error !== undefined)
    return (
      <CardPage
        outcome="failed"
        title={t("deleteAccountFailed.title")}
        lead={t("deleteAccountFailed.text")}
      >
        <Onward redirect_to={redirect_to} />
      </CardPage>
    );
  if (isPending) return <Splash />;
  if (outcome === undefined || session)
    return (
      <CardPage title={t("deleteAccountOpen.title")} lead={t("deleteAccountOpen.text")}>
        <Link to="/data" className={buttonStyle("primary")}>
          {t("deleteAccountOpen.action")}
        </Link>
      </CardPage>
    );
  return (
    <CardPage outcome="done" title={t("deleteAccount.title")} lead={t("deleteAccount.text")}>
      <NextStep />
    </CardPage>
  );
};

export const DoneScreen = () => {
  const t = useTranslation("links");
  const { redirect_to } = doneRoute.useSearch();
  return (
    <CardPage outcome="done" title={t("done.title")} lead={t("done.text")}>
      <Onward redirect_to={redirect_to} />
    </CardPage>
  );
};
