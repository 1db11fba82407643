import { showEmail } from "@latchkey/contracts/email-address.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery, useSuspenseQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { call } from "@latchkey/ui/api/call.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useState } from "react";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { NextStep } from "../../components/next-step.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { CardPage } from "../../components/card-page.tsx";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";
import {
  sendVerification,
  takesVerificationCodes,
} from "../../components/verification/send-verification.ts";
import { VerificationForm } from "../../components/verification/verification-form.tsx";

const mailsCode = facts.verification.onRequest !== "link" && takesVerificationCodes;

/** Mails a link that leads back to the invitation, or a code. */
const VerifyFirst = ({ email }: { email: string }) => {
  const t = useTranslation("invitation");
  const client = useQueryClient();
  const [isSent, setIsSent] = useState(false);
  const mail = () => sendVerification(email, window.location.pathname);
  const send = useChange({ mutationFn: mail, onSuccess: () => setIsSent(true) });
  if (isSent)
    return (
      <CardPage
        title={t("unverified.title")}
        lead={
          mailsCode ? t("verification:code", { email: showEmail(email) }) : t("unverified.sent")
        }
      >
        <VerificationForm
          email={email}
          takesCode={mailsCode}
          send={mail}
          onVerified={() => client.invalidateQueries()}
        />
      </CardPage>
    );
  return (
    <CardPage
      title={t("unverified.title")}
      lead={t("unverified.text", { email: showEmail(email) })}
    >
      {send.error && <FormError error={send.error} />}
      <Button kind="primary" isBusy={send.isPending} onClick={() => send.mutate()}>
        {t("unverified.send")}
      </Button>
    </CardPage>
  );
};

const { acceptInvitation, rejectInvitation } = operations.organization;

/** Accepts or declines an invitation, and says which happened. */
const AnswerButtons = ({ id, organization }: { id: string; organization: string }) => {
  const t = useTranslation("invitation");
  const body = { invitationId: id };
  const accept = useChange({ mutationFn: () => call(acceptInvitation, { body }) });
  const decline = useChange({ mutationFn: () => call(rejectInvitation, { body }) });
  if (accept.isSuccess || decline.isSuccess)
    return (
      <>
        <Notice tone={accept.isSuccess ? "success" : "accent"} isUrgent>
          {accept.isSuccess ? t("accepted", { organization }) : t("declined")}
        </Notice>
        <NextStep />
      </>
    );
  const error = accept.error ?? decline.error;
  return (
    <div className="flex flex-col gap-2">
      {error && <FormError error={error} />}
      <Button
        kind="primary"
        isBusy={accept.isPending}
        disabled={decline.isPending}
        onClick={() => {
          decline.reset();
          accept.mutate();
        }}
      >
        {t("accept")}
      </Button>
      <Button
        isBusy={decline.isPending}
        disabled={accept.isPending}
        onClick={() => {
          accept.reset();
          decline.mutate();
        }}
      >
        {t("decline")}
      </Button>
    </div>
  );
};

const route = getRouteApi("/invitation/$id");

/** Why a signed-in user cannot see an invitation. */
type Refusal = "other" | "unverified" | "gone";

const refusals: Readonly<Record<string, Refusal>> = {
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: "other",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: "unverified",
  INVITATION_NOT_FOUND: "gone",
  OFFERED_INVITATION_NOT_FOUND: "gone",
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: "gone",
};

/** Returns the refusal that an error code means. Undefined if the reading of the invitation only failed. */
const refusalOf = (code: string | undefined): Refusal | undefined =>
  code !== undefined && Object.hasOwn(refusals, code) ? refusals[code] : undefined;

/** Only its recipient may read an invitation, so a signed-out user signs in or up first. */
const SignInFirst = () => {
  const t = useTranslation("invitation");
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
  const t = useTranslation("invitation");
  const signOut = useSignOut(window.location.pathname);
  return (
    <CardPage title={t("other.title")} lead={t("other.text", { email: showEmail(email) })}>
      {signOut.error && <FormError error={signOut.error} />}
      <Button kind="primary" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("other.signOut")}
      </Button>
    </CardPage>
  );
};

/** Shows an invitation to a signed-in user, or why it cannot be accepted. */
const Offer = ({ email }: { email: string }) => {
  const t = useTranslation("invitation");
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(
    operationQuery(operations.organization.getInvitation, { query: { id } }),
  );
  if (data)
    return (
      <CardPage
        title={t("title", { organization: data.organizationName })}
        lead={t("text", { inviter: showEmail(data.inviterEmail), role: data.role })}
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
