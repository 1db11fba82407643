import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { emailAddress } from "../../email-schemas.ts";
import { urlText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { orChallenge } from "../../two-factor-challenge.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const verification = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  path: "/verify-email",
  reply: orChallenge(z.object({ status: z.boolean(), user: userSchema.nullable() })),
  errors: [
    "LINK_TOKEN_EXPIRED",
    "LINK_INVALID_TOKEN",
    "LINK_USER_NOT_FOUND",
    "LINK_UNAUTHORIZED",
    "COULDNT_UPDATE_YOUR_EMAIL",
    "FAILED_TO_UPDATE_USER",
    ["FAILED_TO_CREATE_SESSION", 500],
    "BANNED_USER",
    "TWO_FACTOR_REQUIRED",
    "INVALID_CALLBACKURL",
  ],
  access: "anyone",
  redirects: ["callbackURL"],
  mayRedirect: true,
  mailedLink: true,
} as const;
const link = z.object({ token: z.string(), callbackURL: urlText.optional() });

/** Verification of a user's address. */
export const verificationOperations = operationGroup("Email verification", {
  sendVerificationEmail: operation({
    name: "sendVerificationEmail",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/send-verification-email",
    summary: "Mails a verification link to an address that is not verified yet.",
    body: z.object({ email: emailAddress, callbackURL: urlText.optional() }),
    reply: status,
    errors: [
      "VERIFICATION_EMAIL_ISNT_ENABLED",
      "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL",
      "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL",
      "INVALID_CALLBACKURL",
    ],
    access: "anyone",
    mailsOthers: true,
    redirects: ["callbackURL"],
    mailsLink: true,
  }),
  verifyEmail: operation({
    ...verification,
    name: "verifyEmail",
    stepUp: stepUps.noSession,
    method: "GET",
    summary:
      "Marks the address of a mailed verification token as verified, or shows a confirmation page first.",
    query: link,
  }),
  verifyEmailPost: operation({
    ...verification,
    name: "verifyEmailPost",
    stepUp: stepUps.noSession,
    method: "POST",
    summary: "Marks the address of a mailed verification token as verified.",
    body: link,
  }),
});
