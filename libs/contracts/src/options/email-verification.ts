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
  sendOnSignUp: z.boolean().default(false).describe("Sends a verification mail at sign-up."),
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
