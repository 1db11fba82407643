import { z } from "zod";
import { authenticationSchema } from "../../authentication.ts";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const change = {
  owner: "identity",
  exposure: "public",
  rateClass: "strict",
  method: "POST",
  feature: "twoFactor",
  refusesImpersonators: true,
  refusesApiKeys: true,
} as const;

const read = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  method: "GET",
  feature: "twoFactor",
  access: "session",
  refusesApiKeys: true,
  repeatable: true,
} as const;

/** Longer than any code, with spaces and dashes. */
const code = plainText(128);

const password = z.string().optional();
const passwordErrors = ["INVALID_PASSWORD", "VALIDATION_ERROR", "TOO_MANY_REQUESTS"] as const;

/** A session, or a sign-in that waits for its second factor. */
const eitherErrors = ["INVALID_TWO_FACTOR_COOKIE", "ACCOUNT_TEMPORARILY_LOCKED"] as const;

const verify = {
  ...change,
  access: "anyone",
  signedOut: "INVALID_TWO_FACTOR_COOKIE",
  readsKept: ["twoFactor", "trustedDevice"],
  body: z.object({ code, trustDevice: z.boolean().optional() }),
  reply: z.object({ token: z.string(), user: fullUserSchema }),
} as const;

const verifyErrors = [
  ...eitherErrors,
  "BANNED_USER",
  "UNAUTHORIZED",
  ["FAILED_TO_CREATE_SESSION", 500],
] as const;

/** Second factors of sign-in: codes of authenticator apps, codes by mail, backup codes, and trusted devices. */
export const twoFactorOperations = operationGroup("Second factors", {
  enableTwoFactor: operation({
    ...change,
    name: "enableTwoFactor",
    stepUp: stepUps.firstFactor,
    path: "/two-factor/enable",
    summary:
      "Prepares an authenticator app with backup codes, or turns codes by mail on; also in a sign-in that must set up a second factor.",
    body: z.object({
      password,
      method: z.enum(["totp", "otp"]).default("totp"),
      issuer: plainText(64).min(1).optional(),
      /** A code of the present app, or a backup code, to replace the app. */
      code: code.optional(),
    }),
    reply: z.object({
      method: z.enum(["totp", "otp"]),
      totpURI: z.string().optional(),
      backupCodes: z.array(z.string()).optional(),
    }),
    errors: [
      ...passwordErrors,
      "OTP_NOT_CONFIGURED",
      "EMAIL_NOT_VERIFIED",
      "TOTP_NOT_CONFIGURED",
      "TOTP_ALREADY_ENABLED",
      "INVALID_CODE",
      "ACCOUNT_TEMPORARILY_LOCKED",
      "UNAUTHORIZED",
      ["FAILED_TO_CREATE_SESSION", 500],
      "FAILED_TO_UPDATE_USER",
    ],
    access: "anyone",
    readsKept: ["twoFactor"],
    password: "checked",
  }),
  disableTwoFactor: operation({
    ...change,
    name: "disableTwoFactor",
    stepUp: stepUps.ownFactor,
    path: "/two-factor/disable",
    summary: "Turns the caller's second factor off and deletes everything that belongs to it.",
    body: z.object({ password }),
    reply: status,
    errors: [
      ...passwordErrors,
      "TWO_FACTOR_REQUIRED",
      ["FAILED_TO_CREATE_SESSION", 500],
      "FAILED_TO_UPDATE_USER",
    ],
    access: "session",
    readsKept: ["trustedDevice"],
    password: "checked",
  }),
  getTotpUri: operation({
    ...change,
    name: "getTotpUri",
    stepUp: stepUps.ownFactor,
    path: "/two-factor/get-totp-uri",
    summary: "Returns the URI of the caller's authenticator app, for another device.",
    body: z.object({ password }),
    reply: z.object({ totpURI: z.string() }),
    errors: [...passwordErrors, "TOTP_NOT_CONFIGURED", "TOTP_NOT_ENABLED"],
    access: "session",
    password: "checked",
  }),
  verifyTotp: operation({
    ...verify,
    name: "verifyTotp",
    stepUp: stepUps.provesFactor,
    path: "/two-factor/verify-totp",
    summary:
      "Finishes a sign-in by a code of an authenticator app; in a session it turns the app on, or confirms the session.",
    errors: [
      ...verifyErrors,
      "TOTP_NOT_CONFIGURED",
      "TOTP_NOT_ENABLED",
      "INVALID_CODE",
      "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  sendTwoFactorCode: operation({
    ...change,
    name: "sendTwoFactorCode",
    stepUp: stepUps.firstFactor,
    path: "/two-factor/send-otp",
    summary: "Mails a code for a sign-in that waits for its second factor, or for a session.",
    body: z.object({ trustDevice: z.boolean().optional() }),
    bodyOptional: true,
    reply: status,
    errors: [...eitherErrors, "OTP_NOT_CONFIGURED", "TOO_MANY_REQUESTS"],
    access: "anyone",
    signedOut: "INVALID_TWO_FACTOR_COOKIE",
    readsKept: ["twoFactor"],
  }),
  verifyTwoFactorCode: operation({
    ...verify,
    name: "verifyTwoFactorCode",
    stepUp: stepUps.firstFactor,
    path: "/two-factor/verify-otp",
    summary:
      "Finishes a sign-in by a mailed code; in a session it turns codes by mail on, or confirms the session.",
    /** Backup codes, shown this once, if the code has turned codes by mail on. */
    reply: verify.reply.extend({ backupCodes: z.array(z.string()).optional() }),
    errors: [
      ...verifyErrors,
      "OTP_NOT_CONFIGURED",
      "OTP_HAS_EXPIRED",
      "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
      "INVALID_CODE",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  verifyBackupCode: operation({
    ...verify,
    name: "verifyBackupCode",
    stepUp: stepUps.provesFactor,
    path: "/two-factor/verify-backup-code",
    summary: "Finishes a sign-in by a backup code, which is used up; in a session it confirms it.",
    body: verify.body.extend({ disableSession: z.boolean().optional() }),
    reply: z.object({ token: z.string().optional(), user: fullUserSchema }),
    errors: [
      ...verifyErrors,
      "BACKUP_CODES_NOT_ENABLED",
      "INVALID_BACKUP_CODE",
      "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
    ],
  }),
  generateBackupCodes: operation({
    ...change,
    name: "generateBackupCodes",
    stepUp: stepUps.ownFactor,
    path: "/two-factor/generate-backup-codes",
    summary: "Replaces the caller's backup codes and returns the new ones, once.",
    body: z.object({ password }),
    reply: z.object({ status: z.boolean(), backupCodes: z.array(z.string()) }),
    errors: [...passwordErrors, "TWO_FACTOR_NOT_ENABLED"],
    access: "session",
    password: "checked",
  }),
  readTwoFactorStatus: operation({
    ...read,
    name: "readTwoFactorStatus",
    stepUp: stepUps.reads,
    path: "/two-factor/status",
    summary: "Returns the state of the caller's second factor, and how the session began.",
    reply: z.object({
      enabled: z.boolean(),
      methods: z.array(z.enum(["totp", "otp"])),
      /** The methods that the caller may turn on. */
      available: z.array(z.enum(["totp", "otp"])),
      /** An authenticator app was prepared but not confirmed. */
      pending: z.boolean(),
      backupCodesLeft: z.int(),
      trustedDevices: z.int(),
      passkeys: z.int(),
      lockedUntil: timestamp.nullable(),
      /** The installation requires a second factor of the caller. */
      required: z.boolean(),
      /** When that begins. Null if it is not required, or has no date. */
      requiredFrom: timestamp.nullable(),
      session: authenticationSchema,
    }),
    errors: [],
  }),
  listTrustedDevices: operation({
    ...read,
    name: "listTrustedDevices",
    stepUp: stepUps.reads,
    path: "/two-factor/list-trusted-devices",
    summary: "Lists the browsers in which the caller needs no second factor, newest first.",
    reply: z.array(
      z.object({
        id: z.string(),
        userAgent: z.string(),
        ipAddress: z.string(),
        createdAt: timestamp,
        lastUsedAt: timestamp,
        expiresAt: timestamp,
        current: z.boolean(),
      }),
    ),
    errors: [],
    readsKept: ["trustedDevice"],
  }),
  revokeTrustedDevice: operation({
    ...change,
    name: "revokeTrustedDevice",
    stepUp: stepUps.takesAway,
    path: "/two-factor/revoke-trusted-device",
    summary: "Ends the trust in one of the caller's browsers.",
    body: z.object({ id: plainText(255) }),
    reply: status,
    errors: ["TRUSTED_DEVICE_NOT_FOUND"],
    access: "session",
  }),
  revokeTrustedDevices: operation({
    ...change,
    name: "revokeTrustedDevices",
    stepUp: stepUps.wayIn,
    path: "/two-factor/revoke-trusted-devices",
    summary: "Ends the trust in all of the caller's browsers.",
    reply: status,
    errors: [],
    access: "session",
  }),
});
