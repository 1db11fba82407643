import { z } from "zod";
import type { User } from "../objects.ts";
import { functionOption, seconds, section } from "./option.ts";

export const emailVerificationOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("Verification mails can be sent; off answers `Verification email isn't enabled`."),
  sendOnSignUp: z.boolean().default(false).describe("Sends the mail at sign-up."),
  autoSignInAfterVerification: z
    .boolean()
    .default(false)
    .describe("Opening the link also signs in."),
  expiresIn: seconds.min(1).default(3600).describe("Lifetime of a link, in seconds."),
  onEmailVerification: functionOption<(user: User) => unknown>()
    .optional()
    .describe("Called with the user before the address is marked, on each use of a link."),
});
