import { z } from "zod";
import { functionOption, seconds, section } from "./option.ts";

export const emailAndPasswordOptions = section({
  enabled: z.boolean().default(true).describe("Sign-up and sign-in by email and password."),
  disableSignUp: z.boolean().default(false).describe("Refuses sign-up. Sign-in still works."),
  requireEmailVerification: z
    .boolean()
    .default(false)
    .describe(
      "Refuses a session until the address is verified. Sign-up and sign-in send a verification mail.",
    ),
  autoSignIn: z.boolean().default(true).describe("Sign-up also signs in."),
  minPasswordLength: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe("Minimum length of a password, in UTF-16 units."),
  maxPasswordLength: z
    .int()
    .min(1)
    .max(1024)
    .default(128)
    .describe("Maximum length of a password, in UTF-16 units."),
  compromisedPasswords: z
    .enum(["off", "local", "service"])
    .default("local")
    .describe(
      "Refuses new passwords that are known from leaks: `local` knows 474,743 common ones, `service` asks `compromisedPasswordsURL` by the first five digits of their SHA-1.",
    ),
  compromisedPasswordsURL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .default("https://api.pwnedpasswords.com/range")
    .describe(
      "The service, or a mirror of it. It has one second. While it does not answer, passwords are let through, counted and logged. A private host must be among `advanced.outbound.privateHosts`.",
    ),
  compromisedPasswordsAtSignIn: z
    .enum(["off", "notice", "change"])
    .default("notice")
    .describe(
      "What a sign-in with such a password does. `notice` marks the account and mails the user once. `change` refuses the sign-in with 403 and mails a link to choose a new password.",
    ),
  resetPassword: section({
    enabled: z
      .boolean()
      .default(true)
      .describe("Allows reset mails. If off, the error is `Reset password isn't enabled`."),
  }),
  resetPasswordTokenExpiresIn: seconds
    .min(1)
    .default(3600)
    .describe("Lifetime of a reset link, in seconds."),
  revokeSessionsOnPasswordReset: z
    .boolean()
    .default(false)
    .describe("A reset ends every session. For a user with an unverified address it always does."),
  passwordTries: section({
    window: z.int().min(1).max(86_400).default(900).describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe(
        "Wrong passwords that a signed-in user may give in a window, for example when changing the password. Sign-in is not counted.",
      ),
  }),
  password: section({
    form: z
      .enum(["phc", "colon"])
      .default("phc")
      .describe(
        "How the built-in hash is stored. `phc` names the algorithm. `colon` is `salt:key`, which version 0.1.0 and better-auth read. A sign-in converts. (PASSWORD_HASH_FORM)",
      ),
    hash: functionOption<(password: string) => Promise<string>>()
      .optional()
      .describe("Replaces the built-in hash. Takes the password and returns the text to store."),
    verify: functionOption<(input: { hash: string; password: string }) => Promise<boolean>>()
      .optional()
      .describe(
        "Verifies a password against the result of `hash`. Without `hash`, verifies only hashes that the built-in check does not know, as after an import. A right password is then stored with the built-in hash.",
      ),
    concurrency: z
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe("Hashes that one process computes at once. By default one per core, at most 4."),
    queueMax: z
      .int()
      .min(0)
      .max(10_000)
      .default(64)
      .describe("Hashes that may wait. Beyond that, the response is 503 with Retry-After."),
  }),
});
