import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FormError } from "../../components/form-error.tsx";
import { NextStep } from "../../components/next-step.tsx";
import { facts } from "../../facts.ts";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { CardPage } from "../../components/card-page.tsx";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";
import { AnswerButtons } from "./answer-buttons.tsx";
import { refusalOf } from "./refusal-of.ts";
import { VerifyFirst } from "./verify-first.tsx";

const route = getRouteApi("/invitation/$id");

/** Only its recipient may read an invitation, so a signed-out user signs in or up first. */
const SignInFirst = () => {
  const { t } = useTranslation("invitation");
  const { id } = route.useParams();
  const search = { redirect_to: addressOf(`/invitation/${encodeURIComponent(id)}`) };
  return (
    <CardPage title={t("signedOut.title")} lead={t("signedOut.text")}>
      <div className="flex flex-col gap-2">
        <Link to="/sign-in" search={search} className={buttonStyle("primary")}>
          {t("signedOut.signIn")}
        </Link>
        {facts.password?.takesSignUp && (
          <Link to="/sign-up" search={search} className={buttonStyle()}>
            {t("signedOut.signUp")}
          </Link>
        )}
      </div>
    </CardPage>
  );
};

const OtherRecipient = ({ email }: { email: string }) => {
  const { t } = useTranslation("invitation");
  const signOut = useSignOut(window.location.pathname);
  return (
    <CardPage title={t("other.title")} lead={t("other.text", { email })}>
      {signOut.error && <FormError error={signOut.error} />}
      <Button kind="primary" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("other.signOut")}
      </Button>
    </CardPage>
  );
};

/** Shows an invitation to a signed-in user, or why it cannot be accepted. */
const Offer = ({ email }: { email: string }) => {
  const { t } = useTranslation("invitation");
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(
    operationQuery(operations.organization.getInvitation, { query: { id } }),
  );
  if (data)
    return (
      <CardPage
        title={t("title", { organization: data.organizationName })}
        lead={t("text", { inviter: data.inviterEmail, role: data.role })}
      >
        <AnswerButtons id={id} organization={data.organizationName} />
      </CardPage>
    );
  if (!error) return <Splash />;
  const refusal = error instanceof ApiError ? refusalOf(error.code) : undefined;
  if (refusal === "other") return <OtherRecipient email={email} />;
  if (refusal === "unverified") return <VerifyFirst email={email} />;
  if (refusal === undefined) return <ScreenError error={error} reset={() => void refetch()} />;
  return (
    <CardPage title={t("gone.title")} lead={t("gone.text")}>
      <NextStep />
    </CardPage>
  );
};

export const InvitationScreen = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session ? <Offer key={session.user.id} email={session.user.email} /> : <SignInFirst />;
};
