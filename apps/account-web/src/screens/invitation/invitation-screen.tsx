import { showEmail } from "@latchkey/contracts/email-address.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery, useSuspenseQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { NextStep } from "../../components/next-step.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import {
  forgetInvitation,
  openedInvitation,
  rememberInvitation,
} from "../../session/opened-invitation.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { hasDeviceSessions } from "../../session/device-sessions.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { CardPage } from "../../components/card-page.tsx";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";
import { mailsCode, sendVerification } from "../../components/verification/send-verification.ts";
import { VerificationForm } from "../../components/verification/verification-form.tsx";

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
      lead={t(mailsCode ? "unverified.code" : "unverified.text", { email: showEmail(email) })}
    >
      {send.error && <FormError error={send.error} />}
      <Button kind="primary" isBusy={send.isPending} onClick={() => send.mutate()}>
        {t(mailsCode ? "unverified.sendCode" : "unverified.send")}
      </Button>
    </CardPage>
  );
};

const { acceptInvitation, getInvitation, openInvitation, rejectInvitation } =
  operations.organization;

const route = getRouteApi("/invitation/$id");

type Invitation = CallReply<typeof getInvitation>;

/** Accepts or declines an invitation, and says which happened. */
const Answer = ({ invitation }: { invitation: Invitation }) => {
  const t = useTranslation("invitation");
  const { id, organizationName: organization, inviterEmail, role } = invitation;
  const body = { invitationId: id };
  const onSuccess = forgetInvitation;
  const accept = useChange({ mutationFn: () => call(acceptInvitation, { body }), onSuccess });
  const decline = useChange({ mutationFn: () => call(rejectInvitation, { body }), onSuccess });
  const acceptAtOnce = useEffectEvent(() => {
    const opened = openedInvitation();
    if (!opened?.accepts || opened.id !== routeId) return;
    // A refusal is answered by the user.
    rememberInvitation({ ...opened, accepts: false });
    accept.mutate();
  });
  const { id: routeId } = route.useParams();
  useEffect(() => acceptAtOnce(), []);
  if (accept.isSuccess || decline.isSuccess)
    return (
      <CardPage
        outcome="done"
        title={accept.isSuccess ? t("accepted", { organization }) : t("declined")}
      >
        <NextStep />
      </CardPage>
    );
  const error = accept.error ?? decline.error;
  return (
    <CardPage
      title={t("title", { organization })}
      lead={t("text", { inviter: showEmail(inviterEmail), role })}
    >
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
    </CardPage>
  );
};

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

/** Shows an invitation to a reader of its mail, who accepts it by signing in or up with the invited email. */
const Invited = () => {
  const t = useTranslation("invitation");
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(operationQuery(openInvitation, { query: { id } }));
  const redirect_to = addressOf(`/invitation/${encodeURIComponent(id)}`);
  if (!data) {
    if (!error) return <Splash />;
    const refusal = error instanceof ApiError ? refusalOf(error.code) : undefined;
    if (refusal !== "gone") return <ScreenError error={error} reset={() => void refetch()} />;
    return (
      <CardPage outcome="failed" title={t("gone.title")} lead={t("gone.text")}>
        <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("links:toSignIn")}
        </Link>
      </CardPage>
    );
  }
  const { organizationName: organization, inviterEmail, role, email } = data;
  const entry = {
    search: { redirect_to, email },
    onClick: () => rememberInvitation({ ...openedInvitation(), id, accepts: true }),
  };
  return (
    <CardPage
      title={t("title", { organization })}
      lead={
        <>
          <p>{t("text", { inviter: showEmail(inviterEmail), role })}</p>
          <p>{t("signedOut.text", { email: showEmail(email) })}</p>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <Link to="/sign-in" {...entry} className={buttonStyle("primary")}>
          {t("signedOut.signIn")}
        </Link>
        {facts.password?.takesSignUp && (
          <Link to="/sign-up" {...entry} className={buttonStyle()}>
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
  if (hasDeviceSessions)
    return (
      <CardPage title={t("other.title")} lead={t("other.text", { email: showEmail(email) })}>
        <Link
          to="/choose"
          search={{ redirect_to: window.location.pathname }}
          className={buttonStyle("primary")}
        >
          {t("other.signOut")}
        </Link>
      </CardPage>
    );
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
  const { data, error, refetch } = useQuery(operationQuery(getInvitation, { query: { id } }));
  if (data) return <Answer invitation={data} />;
  if (!error) return <Splash />;
  const refusal = error instanceof ApiError ? refusalOf(error.code) : undefined;
  if (refusal === "other") return <OtherRecipient email={email} />;
  if (refusal === "unverified") return <VerifyFirst email={email} />;
  if (refusal === undefined) return <ScreenError error={error} reset={() => void refetch()} />;
  return (
    <CardPage outcome="failed" title={t("gone.title")} lead={t("gone.text")}>
      <NextStep />
    </CardPage>
  );
};

export const InvitationScreen = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session ? <Offer key={session.user.id} email={session.user.email} /> : <Invited />;
};
