import { z } from "zod";
import { functionOption, seconds, section, webUrl } from "./option.ts";

const budget = (window: number, max: number, of: string) =>
  section({
    window: seconds
      .min(60)
      .max(86_400)
      .default(window)
      .describe("Length of the window, in seconds."),
    max: z
      .int()
      .min(1)
      .max(100_000)
      .default(max)
      .describe(`Maximum text messages ${of} in a window.`),
  });

/** A text message that is about to be sent, as the application's function gets it. */
export interface ProposedText {
  /** In E.164. */
  phoneNumber: string;
}

export const phoneNumberOptions = section({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Phone numbers: users add one, and sign in with it by a code in a text message, or by a password.",
    ),
  sendURL: webUrl
    .optional()
    .describe(
      "Your receiver, to which each text message is posted with a signature. Without one, outside production, messages are captured instead of sent. (PHONE_NUMBER_SEND_URL)",
    ),
  sendSecret: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
      "must be `whsec_` and 24 to 64 bytes in Base64, such as from `openssl rand -base64 32`",
    )
    .optional()
    .describe(
      "Secret with which the requests to `sendURL` are signed: `whsec_` and random bytes in Base64. (PHONE_NUMBER_SEND_SECRET)",
    )
    .meta({ secret: "whole" }),
  allowedCountries: z
    .array(
      z.string().regex(/^[A-Z]{2}$/, "must be a country code of two capital letters, such as DE"),
    )
    .default([])
    .describe(
      "Countries whose numbers are accepted, as `DE`. Name those of your users: messages to others are costly, and a target of fraud. Required.",
    ),
  otpLength: z.int().min(6).max(8).default(6).describe("Digits of a code."),
  expiresIn: seconds.min(60).max(600).default(300).describe("Lifetime of a code, in seconds."),
  allowedAttempts: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe(
      "Wrong attempts after which a code ends. The requesting browser and all others are counted separately.",
    ),
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
      .describe("Wrong codes for a number and a purpose in a window."),
  }),
  signUpOnVerification: section({
    enabled: z
      .boolean()
      .default(false)
      .describe("A code for an unknown number registers a user, whose email is a placeholder."),
  }),
  passwordReset: section({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        "A user who has forgotten the password chooses a new one by a code in a text message. The second factor stays.",
      ),
  }),
  unusedDays: z
    .int()
    .min(30)
    .max(3650)
    .default(90)
    .describe(
      "Days without use after which a number goes to another user who proves it, because carriers assign numbers anew.",
    ),
  budgets: section({
    number: budget(3_600, 5, "to one number, and of one user in a session,"),
    address: budget(3_600, 20, "that one client address requests"),
    country: budget(3_600, 100, "to numbers with one country prefix"),
    dayMax: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(1_000)
      .describe(
        "Maximum text messages of the installation in a day, of which the last tenth is for users in a session. Metrics show how much is used.",
      ),
  }),
  allowsText: functionOption<(text: ProposedText) => boolean | Promise<boolean>>()
    .optional()
    .describe(
      "Called with `{ phoneNumber }` before each message, such as to ask the carrier whether the SIM card was swapped lately. If it returns false, nothing is sent, and the reply is the same.",
    ),
});
