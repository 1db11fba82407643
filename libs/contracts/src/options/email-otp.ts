import { z } from "zod";
import { seconds, section } from "./option.ts";

export const emailOtpOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe("Codes by mail: for sign-in, verification, password reset and change of address."),
  otpLength: z.int().min(6).max(8).default(6).describe("Digits of a code."),
  expiresIn: seconds.min(60).max(3600).default(300).describe("Lifetime of a code, in seconds."),
  allowedAttempts: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe(
      "Wrong attempts after which a code ends. The requesting browser and all others are counted separately.",
    ),
  disableSignUp: z.boolean().default(false).describe("Codes only sign in existing users."),
  sendVerificationOnSignUp: z
    .boolean()
    .default(false)
    .describe("Sends a code for verification at sign-up."),
  overrideDefaultEmailVerification: z
    .boolean()
    .default(false)
    .describe("Verification mails contain a code instead of a link."),
  overrideDefaultPasswordReset: z
    .boolean()
    .default(false)
    .describe(
      "The account web mails a code instead of a link to a user who has forgotten the password.",
    ),
  changeEmail: section({
    enabled: z.boolean().default(false).describe("Change of address by code."),
    verifyCurrentEmail: z
      .boolean()
      .default(true)
      .describe("A change also needs a code sent to the current, verified address."),
  }),
  sameBrowser: z
    .enum(["prefer", "require"])
    .default("prefer")
    .describe("Whether a code works in every browser (`prefer`) or only where it was requested."),
  guesses: section({
    window: seconds
      .min(60)
      .max(604_800)
      .default(86_400)
      .describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .max(1000)
      .default(20)
      .describe("Wrong codes for an address and a purpose in a window."),
  }),
});
