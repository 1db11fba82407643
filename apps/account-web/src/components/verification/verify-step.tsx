import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { SignInUse } from "./use-credentials.ts";
import { CardPage } from "../card-page.tsx";
import { NextStep } from "../next-step.tsx";
import { isUnverified, sendVerification } from "./send-verification.ts";
import { VerificationForm, type VerificationReply } from "./verification-form.tsx";

type Mailed = (typeof facts.verification.atSignUp)[number];

interface VerifyStepProps extends SignInUse {
  /** Undefined after a sign-in with a username. */
  email: string | undefined;
  /** The content of the mail that was sent already. */
  mailed: readonly Mailed[];
  /** Repeats the sign-in, which mails anew while the email is not verified. */
  signIn?: (() => Promise<void>) | undefined;
  aside?: ReactNode;
}

const leadFor = (mailed: readonly Mailed[], isKnown: boolean) => {
  const hasCode = mailed.includes("code");
  if (!isKnown) return hasCode ? "unknown" : "linkUnknown";
  if (!hasCode) return "link";
  return mailed.includes("link") ? "either" : "code";
};

/** Says which mail verifies the email, takes its code, and then continues the sign-in. */
export const VerifyStep = ({ email, mailed, signIn, aside, ...use }: VerifyStepProps) => {
  const t = useTranslation("verification");
  const { redirect_to } = useSearch({ strict: false });
  const [isVerified, setIsVerified] = useState(false);
  if (isVerified)
    return (
      <CardPage
        outcome="done"
        title={t("links:verifyEmail.title")}
        lead={t("links:verifyEmail.text")}
      >
        <NextStep />
      </CardPage>
    );
  const onVerified = async (reply: VerificationReply) => {
    const { token, twoFactorRedirect, twoFactorMethods = [], twoFactorEnrolment } = reply;
    if (twoFactorRedirect)
      use.onChallenge({ twoFactorRedirect, twoFactorMethods, twoFactorEnrolment });
    else if (token !== null) await use.onSignedIn();
    else if (signIn) await signIn();
    else setIsVerified(true);
  };
  const send = async (entered: string) => {
    const { onRequest } = facts.verification;
    if (!signIn || onRequest === undefined) return sendVerification(entered, redirect_to);
    return signIn().catch((error: unknown) => {
      if (!isUnverified(error)) throw error;
    });
  };
  return (
    <CardPage
      outcome="mailed"
      title={t("title")}
      lead={t(leadFor(mailed, email !== undefined), {
        email: email === undefined ? "" : showEmail(email),
      })}
      aside={aside}
    >
      <VerificationForm
        email={email}
        takesCode={mailed.includes("code")}
        send={send}
        onVerified={onVerified}
      />
    </CardPage>
  );
};
