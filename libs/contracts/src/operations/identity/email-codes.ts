import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { claimedMethod } from "../../mailed-link.ts";
import { operation } from "../../operation.ts";
import { anyEmail } from "../../email-schemas.ts";
import { imageLengthMax, plainText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { orChallenge, twoFactorChallenge } from "../../two-factor-challenge.ts";
import { operationGroup } from "../../operation-group.ts";

const purpose = z.enum(["sign-in", "email-verification", "forget-password", "change-email"]);
const otp = plainText(64);
const success = z.object({ success: z.boolean() });

const common = {
  owner: "identity",
  exposure: "public",
  rateClass: "mailed code",
  method: "POST",
  feature: "emailOTP",
  access: "anyone",
  readsKept: ["emailOtp"],
} as const;

const codeErrors = ["INVALID_EMAIL", "INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"] as const;

const requestReset = {
  ...common,
  body: z.object({ email: anyEmail }),
  reply: success,
  errors: ["INVALID_EMAIL", "RESET_PASSWORD_ISNT_ENABLED"],
  mailsOthers: true,
} as const;

const emailChange = {
  ...common,
  reply: success,
  access: "session",
  refusesImpersonators: true,
  refusesApiKeys: true,
  mailsOthers: true,
} as const;

/** Sign-in, verification, password reset and change of address by mailed codes. */
export const emailCodeOperations = operationGroup("Links and codes by mail", {
  sendVerificationOtp: operation({
    ...common,
    name: "sendVerificationOtp",
    stepUp: stepUps.noSession,
    path: "/email-otp/send-verification-otp",
    summary: "Mails a code; the reply is the same for unknown addresses.",
    body: z.object({ email: anyEmail, type: purpose }),
    reply: success,
    errors: ["INVALID_EMAIL", "INVALID_OTP_TYPE", "RESET_PASSWORD_ISNT_ENABLED"],
    mailsOthers: true,
  }),
  signInEmailOtp: operation({
    ...common,
    name: "signInEmailOtp",
    stepUp: stepUps.noSession,
    path: "/sign-in/email-otp",
    summary: "Signs in by a mailed code, and registers an unknown address.",
    body: z
      .looseObject({
        email: anyEmail,
        otp,
        name: plainText(1024).optional(),
        image: plainText(imageLengthMax).optional(),
        username: plainText(255).optional(),
        displayUsername: plainText(255).optional(),
      })
      .meta({ inputFieldsOf: "user" }),
    reply: orChallenge(z.object({ token: z.string(), user: fullUserSchema })),
    readsKept: ["emailOtp"],
    errors: [
      ...codeErrors,
      "USERNAME_IS_TOO_SHORT",
      "USERNAME_IS_TOO_LONG",
      "USERNAME_IS_INVALID",
      "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
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
  verifyEmailOtp: operation({
    ...common,
    name: "verifyEmailOtp",
    stepUp: stepUps.noSession,
    path: "/email-otp/verify-email",
    summary: "Marks an address as verified by a mailed code.",
    body: z.object({ email: anyEmail, otp }),
    reply: z.object({
      status: z.boolean(),
      token: z.string().nullable(),
      user: fullUserSchema,
      ...twoFactorChallenge.partial().shape,
    }),
    readsKept: ["emailOtp"],
    errors: [
      ...codeErrors,
      ["USER_NOT_FOUND", 400],
      "FAILED_TO_UPDATE_USER",
      ["FAILED_TO_CREATE_SESSION", 500],
      "BANNED_USER",
    ],
    mailsLink: true,
  }),
  checkVerificationOtp: operation({
    ...common,
    name: "checkVerificationOtp",
    stepUp: stepUps.noSession,
    path: "/email-otp/check-verification-otp",
    summary: "Returns whether a mailed code is right; the code stays valid.",
    body: z.object({ email: anyEmail, type: purpose, otp }),
    reply: success.extend({
      /** Absent if the use of the code deletes nothing. */
      ends: z
        .array(claimedMethod)
        .optional()
        .describe(
          "The sign-in methods that the use of the code deletes, because its user has not proven the address. A reset replaces the password.",
        ),
    }),
    errors: [...codeErrors, "INVALID_OTP_TYPE", ["USER_NOT_FOUND", 400]],
    mailsLink: true,
  }),
  requestPasswordResetOtp: operation({
    ...requestReset,
    name: "requestPasswordResetOtp",
    stepUp: stepUps.noSession,
    path: "/email-otp/request-password-reset",
    summary: "Mails a code to choose a new password; the reply is the same for unknown addresses.",
  }),
  forgetPasswordOtp: operation({
    ...requestReset,
    name: "forgetPasswordOtp",
    stepUp: stepUps.noSession,
    path: "/forget-password/email-otp",
    summary: "The same as `/email-otp/request-password-reset`, under its older name.",
  }),
  resetPasswordOtp: operation({
    ...common,
    name: "resetPasswordOtp",
    stepUp: stepUps.noSession,
    path: "/email-otp/reset-password",
    summary: "Sets a new password by a mailed code.",
    body: z.object({ email: anyEmail, otp, password: z.string() }),
    reply: success,
    errors: [
      ...codeErrors,
      "RESET_PASSWORD_ISNT_ENABLED",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "FAILED_TO_UPDATE_USER",
    ],
    password: "set",
  }),
  requestEmailChangeOtp: operation({
    ...emailChange,
    name: "requestEmailChangeOtp",
    stepUp: stepUps.wayIn,
    path: "/email-otp/request-email-change",
    summary: "Mails a code to the new address of the caller.",
    body: z.object({ newEmail: anyEmail, otp: otp.optional() }),
    errors: [
      ...codeErrors,
      "CHANGE_EMAIL_WITH_OTP_IS_DISABLED",
      "EMAIL_IS_THE_SAME",
      "OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL",
    ],
  }),
  changeEmailOtp: operation({
    ...emailChange,
    name: "changeEmailOtp",
    stepUp: stepUps.wayIn,
    path: "/email-otp/change-email",
    summary: "Changes the caller's address by a code that was mailed to the new one.",
    body: z.object({ newEmail: anyEmail, otp }),
    errors: [
      ...codeErrors,
      "CHANGE_EMAIL_WITH_OTP_IS_DISABLED",
      "EMAIL_IS_THE_SAME",
      "EMAIL_ALREADY_IN_USE",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  createVerificationOtp: operation({
    name: "createVerificationOtp",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/email-otp/create-verification-otp",
    summary: "Creates a code that the calling service sends itself.",
    feature: "emailOTP",
    body: z.object({ email: anyEmail, type: purpose }),
    reply: z.object({ otp: z.string() }),
    errors: ["INVALID_EMAIL", "INVALID_OTP_TYPE"],
    access: "anyone",
  }),
});
