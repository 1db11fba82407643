import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { imageLengthMax, plainText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { orChallenge, twoFactorChallenge } from "../../two-factor-challenge.ts";
import { status } from "./status.ts";

const phoneNumber = plainText(64).describe("In international form, such as `+49 170 1234567`.");
const code = plainText(64);

const common = {
  owner: "identity",
  exposure: "public",
  rateClass: "texted code",
  method: "POST",
  feature: "phoneNumber",
  access: "anyone",
  readsKept: ["phoneOtp"],
} as const;

const codeErrors = [
  "INVALID_PHONE_NUMBER",
  "INVALID_OTP",
  "OTP_EXPIRED",
  "TOO_MANY_ATTEMPTS",
] as const;

/** Sign-in, sign-up, proof of a number and password reset by codes in text messages. */
export const phoneNumberOperations = operationGroup("Phone numbers", {
  sendPhoneOtp: operation({
    ...common,
    name: "sendPhoneOtp",
    stepUp: stepUps.noSession,
    path: "/phone-number/send-otp",
    summary: "Sends a code to a phone number; the reply is the same for unknown numbers.",
    body: z.object({ phoneNumber }),
    reply: z.object({ message: z.string() }),
    errors: ["INVALID_PHONE_NUMBER"],
    mailsOthers: true,
  }),
  verifyPhoneNumber: operation({
    ...common,
    name: "verifyPhoneNumber",
    stepUp: stepUps.takesPhone,
    path: "/phone-number/verify",
    summary:
      "Signs in by the code that was sent to a phone number, or gives the number to the signed-in user.",
    body: z
      .looseObject({
        phoneNumber,
        code,
        disableSession: z
          .boolean()
          .optional()
          .describe("The code is used up, and nobody is signed in."),
        updatePhoneNumber: z
          .boolean()
          .optional()
          .describe("The number becomes that of the signed-in user, in place of an earlier one."),
        name: plainText(1024).optional(),
        image: plainText(imageLengthMax).optional(),
      })
      .meta({ inputFieldsOf: "user" }),
    reply: z.object({
      status: z.boolean(),
      /** Null without a new session. */
      token: z.string().nullable(),
      /** Null while the user has still to pass the second factor. */
      user: fullUserSchema.nullable(),
      ...twoFactorChallenge.partial().shape,
    }),
    errors: [
      ...codeErrors,
      "UNAUTHORIZED",
      "PHONE_NUMBER_EXIST",
      "FIELD_IS_REQUIRED",
      "FIELD_NOT_ALLOWED",
      "FAILED_TO_CREATE_USER",
      ["FAILED_TO_CREATE_USER", 422],
      "FAILED_TO_UPDATE_USER",
      ["FAILED_TO_CREATE_SESSION", 500],
      "BANNED_USER",
      "TWO_FACTOR_REQUIRED",
    ],
  }),
  signInPhoneNumber: operation({
    ...common,
    name: "signInPhoneNumber",
    rateClass: "strict",
    stepUp: stepUps.noSession,
    path: "/sign-in/phone-number",
    summary: "Signs a user in by phone number and password.",
    body: z.object({ phoneNumber, password: z.string(), rememberMe: z.boolean().optional() }),
    reply: orChallenge(z.object({ token: z.string(), user: fullUserSchema })),
    readsKept: ["trustedDevice", "phoneOtp"],
    errors: [
      "INVALID_PHONE_NUMBER",
      "EMAIL_AND_PASSWORD_IS_NOT_ENABLED",
      "INVALID_PHONE_NUMBER_OR_PASSWORD",
      "PHONE_NUMBER_NOT_VERIFIED",
      "EMAIL_NOT_VERIFIED",
      "PASSWORD_CHANGE_REQUIRED",
      "BANNED_USER",
      "TWO_FACTOR_REQUIRED",
      "FAILED_TO_UPDATE_USER",
      ["FAILED_TO_CREATE_SESSION", 500],
    ],
    mailsLink: true,
    password: "checked",
  }),
  requestPhonePasswordReset: operation({
    ...common,
    name: "requestPhonePasswordReset",
    feature: "phonePasswordReset",
    stepUp: stepUps.noSession,
    path: "/phone-number/request-password-reset",
    summary: "Sends a code to choose a new password; the reply is the same for unknown numbers.",
    body: z.object({ phoneNumber }),
    reply: status,
    errors: ["INVALID_PHONE_NUMBER"],
    mailsOthers: true,
  }),
  resetPhonePassword: operation({
    ...common,
    name: "resetPhonePassword",
    feature: "phonePasswordReset",
    stepUp: stepUps.noSession,
    path: "/phone-number/reset-password",
    summary: "Sets a new password by the code that was sent to a phone number.",
    body: z.object({ phoneNumber, otp: code, newPassword: z.string() }),
    reply: status,
    errors: [
      ...codeErrors,
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "FAILED_TO_UPDATE_USER",
    ],
    password: "set",
  }),
});
