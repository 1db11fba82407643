import { z } from "zod";
import { exemptMethods } from "../authentication.ts";
import { seconds, section } from "./option.ts";
import { roleName } from "./roles.ts";

const digits = z.union([z.literal(6), z.literal(8)]);

export const twoFactorOptions = section({
  enabled: z
    .boolean()
    .default(true)
    .describe("Second factors: codes of authenticator apps, codes by mail and backup codes."),
  issuer: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("Name that authenticator apps show. By default `appName`."),
  skipVerificationOnEnable: z
    .boolean()
    .default(false)
    .describe("Turns an authenticator app on without a first code."),
  allowPasswordless: z
    .boolean()
    .default(true)
    .describe("Users without a password may manage their second factor in a fresh session."),
  twoFactorCookieMaxAge: seconds
    .min(60)
    .max(3600)
    .default(600)
    .describe("Seconds in which a sign-in must pass its second factor."),
  trustDeviceMaxAge: seconds
    .default(2_592_000)
    .describe("Seconds for which a trusted browser needs no second factor. 0 trusts no browser."),
  accountLockout: section({
    enabled: z
      .boolean()
      .default(true)
      .describe("Refuses second factors of a user after many wrong codes in a row."),
    maxFailedAttempts: z
      .int()
      .min(5)
      .max(100)
      .default(10)
      .describe("Wrong codes in a row before the second factor is locked."),
    durationSeconds: seconds.min(60).default(900).describe("Seconds until it is unlocked."),
  }),
  totpOptions: section({
    disable: z.boolean().default(false).describe("Turns authenticator apps off."),
    digits: digits.default(6).describe("Digits of a code: 6 or 8."),
    period: z.int().min(15).max(120).default(30).describe("Seconds for which a code is shown."),
  }),
  otpOptions: section({
    enabled: z.boolean().default(true).describe("Codes by mail."),
    besideTotp: z
      .boolean()
      .default(false)
      .describe("Users with an authenticator app may use codes by mail instead."),
    period: z
      .number()
      .min(0.5)
      .max(60)
      .default(3)
      .describe("Minutes for which a mailed code is valid."),
    digits: z.int().min(6).max(8).default(6).describe("Digits of a mailed code."),
    allowedAttempts: z
      .int()
      .min(1)
      .max(10)
      .default(5)
      .describe("Wrong attempts after which a mailed code ends."),
  }),
  backupCodeOptions: section({
    amount: z.int().min(1).max(50).default(10).describe("Number of backup codes."),
  }),
  skipFor: z
    .array(z.enum(exemptMethods))
    .default([])
    .describe("Sign-in methods that need no second factor."),
  pageURL: z
    .string()
    .max(2048)
    .optional()
    .describe(
      "Page that asks for the second factor after a redirect. By default the callback URL gets the query `twoFactorRedirect=true`.",
    ),
  revokeOtherSessions: z
    .boolean()
    .default(true)
    .describe("Turning the second factor on ends the user's other sessions."),
  required: section({
    everyone: z.boolean().default(false).describe("Requires a second factor of every user."),
    roles: z.array(roleName).default([]).describe("Requires a second factor of these roles."),
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Time from which it is required, as ISO 8601. By default at once."),
  }),
});
