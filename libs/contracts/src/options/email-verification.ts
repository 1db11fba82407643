import { z } from "zod";
import type { User } from "../objects.ts";
import { functionOption, seconds, section } from "./option.ts";

export const emailVerificationOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Allows verification mails. If off, the error is `Verification email isn't enabled`.",
    ),
  sendOnSignUp: z
    .boolean()
    .optional()
    .describe(
      "Sends a verification mail at sign-up. Default: true if `magicLink` or `emailOTP` is enabled, because a user who has proven the address loses no sign-in method by a link or code. False if `emailOTP.sendVerificationOnSignUp` mails a code anyway.",
    ),
  autoSignInAfterVerification: z
    .boolean()
    .default(false)
    .describe("The request that verifies the address by the link also signs in."),
  expiresIn: seconds.min(1).default(3600).describe("Lifetime of a link, in seconds."),
  onEmailVerification: functionOption<(user: User) => unknown>()
    .optional()
    .describe(
      "Called with the user before a link verifies the address. Concurrent uses of a link may each call it.",
    ),
});

/** The options that decide whether a sign-up mails a verification. */
interface SignUpMailOptions {
  readonly emailVerification: { readonly sendOnSignUp?: boolean | undefined };
  readonly magicLink: { readonly enabled: boolean };
  readonly emailOTP: { readonly enabled: boolean; readonly sendVerificationOnSignUp: boolean };
}

/** Returns `emailVerification.sendOnSignUp`, or its default. */
export const sendsVerificationOnSignUp = ({
  emailVerification: { sendOnSignUp },
  magicLink,
  emailOTP,
}: SignUpMailOptions): boolean =>
  sendOnSignUp ??
  // A code at sign-up proves the address as well.
  ((magicLink.enabled || emailOTP.enabled) && !emailOTP.sendVerificationOnSignUp);
