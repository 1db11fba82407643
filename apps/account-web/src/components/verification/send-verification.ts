import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { facts } from "../../facts.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";

const { sendVerificationEmail, sendVerificationOtp } = operations.identity;
const { atSignUp, onRequest } = facts.verification;

/** Whether some mails for verification contain a code. */
export const takesVerificationCodes = atSignUp.includes("code") || onRequest === "code";

/** Whether a mail on request contains a code instead of a link. */
export const mailsCode = onRequest !== "link" && takesVerificationCodes;

/** Mails a link or a code that verifies an email. The link leads to a page of this web, and then to `redirect_to`. */
export const sendVerification = (email: string, redirect_to?: string): Promise<unknown> =>
  onRequest === undefined && mailsCode
    ? call(sendVerificationOtp, { body: { email, type: "email-verification" } })
    : call(sendVerificationEmail, {
        body: { email, callbackURL: outcomeAddress("/verify-email", { redirect_to }) },
      });

/** Returns whether a sign-in was refused because its user must verify the email first. */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "EMAIL_NOT_VERIFIED";
