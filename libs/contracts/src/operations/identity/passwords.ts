import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { emailAddress } from "../../email-schemas.ts";
import { claimedMethod } from "../../mailed-link.ts";
import { plainText, urlText, userIdText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const requestReset = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  method: "POST",
  body: z.object({ email: emailAddress, redirectTo: urlText.optional() }),
  reply: z.object({ status: z.boolean(), message: z.string() }),
  errors: ["RESET_PASSWORD_ISNT_ENABLED", "UNABLE_TO_CREATE_VERIFICATION", "INVALID_REDIRECTURL"],
  access: "anyone",
  mailsOthers: true,
  redirects: ["redirectTo"],
} as const;

/** Passwords: forgotten, replaced and changed. */
export const passwordOperations = operationGroup("Password", {
  requestPasswordReset: operation({
    ...requestReset,
    name: "requestPasswordReset",
    stepUp: stepUps.noSession,
    path: "/request-password-reset",
    summary: "Mails a link to choose a new password; the reply is the same for unknown addresses.",
  }),
  forgetPassword: operation({
    ...requestReset,
    name: "forgetPassword",
    stepUp: stepUps.noSession,
    path: "/forget-password",
    summary: "The same as `/request-password-reset`, under its older name.",
  }),
  openPasswordReset: operation({
    name: "openPasswordReset",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/reset-password/{token}",
    summary: "Redirects a mailed link to the application, with the token if it is valid.",
    params: z.object({ token: plainText(1024) }),
    query: z.object({ callbackURL: urlText }),
    reply: z.null(),
    errors: ["INVALID_CALLBACKURL"],
    access: "anyone",
    redirects: ["callbackURL"],
    mayRedirect: true,
    repeatable: true,
  }),
  checkPasswordReset: operation({
    name: "checkPasswordReset",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/reset-password/check",
    summary: "Returns whether the token of a mailed link is valid, and what its use ends.",
    body: z.object({ token: plainText(1024) }),
    reply: z.object({
      status: z.boolean(),
      /** Empty if there is nothing but the password. */
      ends: z
        .array(claimedMethod)
        .optional()
        .describe(
          "The sign-in methods that the reset deletes, because its user has not proven the address. All sessions and API keys end as well. Absent if the address is proven.",
        ),
    }),
    errors: ["INVALID_TOKEN"],
    access: "anyone",
    repeatable: true,
  }),
  resetPassword: operation({
    name: "resetPassword",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/reset-password",
    summary: "Sets a new password by the single-use token of a mailed link.",
    query: z.object({ token: plainText(1024).optional() }),
    body: z.object({ newPassword: z.string(), token: plainText(1024).optional() }),
    reply: status,
    errors: [
      "INVALID_TOKEN",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "FAILED_TO_UPDATE_USER",
    ],
    access: "anyone",
    password: "set",
  }),
  changePassword: operation({
    name: "changePassword",
    stepUp: stepUps.asksPassword,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/change-password",
    summary: "Replaces the caller's password, and ends their other sessions on request.",
    body: z.object({
      newPassword: z.string(),
      currentPassword: z.string(),
      revokeOtherSessions: z.boolean().optional(),
    }),
    reply: z.object({ token: z.string().nullable(), user: userSchema }),
    errors: [
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "CREDENTIAL_ACCOUNT_NOT_FOUND",
      "INVALID_PASSWORD",
      ["FAILED_TO_GET_SESSION", 500],
      "BANNED_USER",
      "FAILED_TO_UPDATE_USER",
    ],
    access: "session",
    password: "checked",
    refusesImpersonators: true,
    refusesApiKeys: true,
  }),
  verifyPassword: operation({
    name: "verifyPassword",
    stepUp: stepUps.provesFactor,
    owner: "identity",
    exposure: "public",
    rateClass: "strict",
    method: "POST",
    path: "/verify-password",
    summary:
      "Checks the caller's own password. A right one counts as a recent sign-in of the session, but not as a second factor.",
    body: z.object({ password: z.string() }),
    reply: status,
    errors: ["INVALID_PASSWORD"],
    access: "session",
    password: "checked",
    refusesImpersonators: true,
    refusesApiKeys: true,
  }),
  setPassword: operation({
    name: "setPassword",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/set-password",
    summary: "Sets a password for a user who has none.",
    body: z.object({ userId: userIdText, newPassword: z.string() }),
    reply: status,
    errors: [
      "USER_NOT_FOUND",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "USER_ALREADY_HAS_A_PASSWORD",
      "FAILED_TO_UPDATE_USER",
    ],
    access: "anyone",
    password: "set",
  }),
});
