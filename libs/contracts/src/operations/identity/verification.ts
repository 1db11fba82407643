import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { emailAddress, urlText } from "../../plain-text.ts";
import { status } from "./status.ts";

/** Proving that an address is the user's. */
export const verificationOperations = {
  sendVerificationEmail: operation({
    name: "sendVerificationEmail",
    owner: "identity",
    exposure: "public",
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
    redirects: ["callbackURL"],
  }),
  verifyEmail: operation({
    name: "verifyEmail",
    owner: "identity",
    exposure: "public",
    method: "GET",
    path: "/verify-email",
    summary: "Marks the address of a mailed verification token as verified.",
    query: z.object({ token: z.string(), callbackURL: urlText.optional() }),
    reply: z.object({ status: z.boolean(), user: userSchema.nullable() }),
    errors: [
      "LINK_TOKEN_EXPIRED",
      "LINK_INVALID_TOKEN",
      "LINK_USER_NOT_FOUND",
      "LINK_UNAUTHORIZED",
      "COULDNT_UPDATE_YOUR_EMAIL",
      "FAILED_TO_UPDATE_USER",
      ["FAILED_TO_CREATE_SESSION", 500],
      "BANNED_USER",
      "INVALID_CALLBACKURL",
    ],
    access: "anyone",
    redirects: ["callbackURL"],
    mayRedirect: true,
  }),
} as const;
