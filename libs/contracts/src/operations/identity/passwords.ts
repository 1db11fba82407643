import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { emailAddress, plainText, urlText, userIdText } from "../../plain-text.ts";
import { status } from "./status.ts";

const requestReset = {
  owner: "identity",
  exposure: "public",
  method: "POST",
  body: z.object({ email: emailAddress, redirectTo: urlText.optional() }),
  reply: z.object({ status: z.boolean(), message: z.string() }),
  errors: ["RESET_PASSWORD_ISNT_ENABLED", "UNABLE_TO_CREATE_VERIFICATION", "INVALID_REDIRECTURL"],
  access: "anyone",
  redirects: ["redirectTo"],
} as const;

/** Passwords: forgotten, replaced and changed. */
export const passwordOperations = {
  requestPasswordReset: operation({
    ...requestReset,
    name: "requestPasswordReset",
    path: "/request-password-reset",
    summary: "Mails a link to choose a new password; the answer is the same for unknown addresses.",
  }),
  forgetPassword: operation({
    ...requestReset,
    name: "forgetPassword",
    path: "/forget-password",
    summary: "The same as `/request-password-reset`, by its older name.",
  }),
  openPasswordReset: operation({
    name: "openPasswordReset",
    owner: "identity",
    exposure: "public",
    method: "GET",
    path: "/reset-password/{token}",
    summary:
      "Sends whoever opens a mailed link on to the application, with the token if it is good.",
    params: z.object({ token: plainText(1024) }),
    query: z.object({ callbackURL: urlText }),
    reply: z.null(),
    errors: ["INVALID_CALLBACKURL"],
    access: "anyone",
    redirects: ["callbackURL"],
    mayRedirect: true,
    repeatable: true,
  }),
  resetPassword: operation({
    name: "resetPassword",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/reset-password",
    summary: "Sets a new password by the token of a mailed link, which is good once.",
    query: z.object({ token: plainText(1024).optional() }),
    body: z.object({ newPassword: z.string(), token: plainText(1024).optional() }),
    reply: status,
    errors: ["INVALID_TOKEN", "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG", "FAILED_TO_UPDATE_USER"],
    access: "anyone",
  }),
  changePassword: operation({
    name: "changePassword",
    owner: "identity",
    exposure: "public",
    method: "POST",
    path: "/change-password",
    summary: "Replaces the caller's password, and ends their other sessions where asked to.",
    body: z.object({
      newPassword: z.string(),
      currentPassword: z.string(),
      revokeOtherSessions: z.boolean().optional(),
    }),
    reply: z.object({ token: z.string().nullable(), user: userSchema }),
    errors: [
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "CREDENTIAL_ACCOUNT_NOT_FOUND",
      "INVALID_PASSWORD",
      ["FAILED_TO_GET_SESSION", 500],
      "BANNED_USER",
      "FAILED_TO_UPDATE_USER",
    ],
    access: "session",
    refusesImpersonators: true,
  }),
  setPassword: operation({
    name: "setPassword",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/set-password",
    summary: "Gives a password to a user who has none.",
    body: z.object({ userId: userIdText, newPassword: z.string() }),
    reply: status,
    errors: [
      "USER_NOT_FOUND",
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "USER_ALREADY_HAS_A_PASSWORD",
      "FAILED_TO_UPDATE_USER",
    ],
    access: "anyone",
  }),
} as const;
