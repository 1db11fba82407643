import { z } from "zod";
import { functionOption, seconds, section } from "./option.ts";

export const emailAndPasswordOptions = section({
  enabled: z.boolean().default(true).describe("Sign-up and sign-in by e-mail and password."),
  disableSignUp: z.boolean().default(false).describe("Refuses sign-up; sign-in goes on."),
  requireEmailVerification: z
    .boolean()
    .default(false)
    .describe("No session before the address is verified; a mail is sent at sign-up and sign-in."),
  autoSignIn: z.boolean().default(true).describe("Sign-up also signs in."),
  minPasswordLength: z.int().min(1).max(1024).default(8).describe("In UTF-16 units."),
  maxPasswordLength: z.int().min(1).max(1024).default(128).describe("In UTF-16 units."),
  resetPassword: section({
    enabled: z
      .boolean()
      .default(true)
      .describe("Reset mails can be sent; off answers `Reset password isn't enabled`."),
  }),
  resetPasswordTokenExpiresIn: seconds
    .min(1)
    .default(3600)
    .describe("Lifetime of a reset link, in seconds."),
  revokeSessionsOnPasswordReset: z
    .boolean()
    .default(false)
    .describe("A reset ends every session; of a user with an unverified address it always does."),
  password: section({
    hash: functionOption<(password: string) => Promise<string>>()
      .optional()
      .describe("Replaces the built-in hash; takes the password, gives the text to store."),
    verify: functionOption<(input: { hash: string; password: string }) => Promise<boolean>>()
      .optional()
      .describe("Checks a password against what `hash` gave."),
    concurrency: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe("Hashes computed at once by one process; by default one for each core, at most 4."),
    queueMax: z
      .int()
      .min(0)
      .max(10_000)
      .default(64)
      .describe("Hashes that may wait; beyond that the answer is 503 with Retry-After."),
  }),
});
