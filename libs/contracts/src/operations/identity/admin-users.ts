import { z } from "zod";
import { fullUserSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp, urlText, userIdText } from "../../plain-text.ts";
import { oneUser, roles } from "./admin-schemas.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const ofUser = { ...ofAdmin, params: z.object({ id: plainText(255).min(1) }) } as const;

const mayCreate = {
  resource: "user",
  action: "create",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS",
} as const;

/** The page that a mailed link leads to, with the token. By default `/`. */
const redirectTo = urlText.optional();

/** Errors of a mailed link by which a user chooses a password. */
const passwordLinkErrors = [
  "RESET_PASSWORD_ISNT_ENABLED",
  "INVALID_EMAIL",
  "UNABLE_TO_CREATE_VERIFICATION",
  "INVALID_REDIRECTURL",
] as const;

const mayUpdate = {
  resource: "user",
  action: "update",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS",
} as const;

/** A merge that can be undone. */
const merge = z.object({
  id: z.string(),
  /** The user who stays. */
  userId: z.string(),
  mergedUserId: z.string(),
  mergedEmail: z.string(),
  mergedAt: timestamp,
  /** Until then it can be undone. Afterwards the merged user is deleted. */
  undoableUntil: timestamp,
});

const mayMerge = {
  resource: "user",
  action: "merge",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_MERGE_USERS",
} as const;

/** Operations of admins on one user, and help for users who are locked out. */
export const userAdminOperations = operationGroup("Admin", {
  adminGetUser: operation({
    ...ofUser,
    name: "adminGetUser",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/users/{id}",
    summary: "Returns a user with their accounts, without passwords and tokens.",
    permission: {
      resource: "user",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
    },
    reply: z.object({
      user: fullUserSchema,
      accounts: z.array(
        z.object({
          id: z.string(),
          providerId: z.string(),
          accountId: z.string(),
          createdAt: timestamp,
          updatedAt: timestamp,
          scopes: z.array(z.string()),
          /** Present if a sign-in showed that this password is known from leaks. */
          compromised: z.literal(true).optional(),
        }),
      ),
      hasPassword: z.boolean(),
      passkeyCount: z.int(),
      /** The second factor, without secrets. Absent while the feature is off. */
      secondFactor: z
        .object({
          enabled: z.boolean(),
          /** The second factors that the user can use, apart from backup codes. */
          methods: z.array(z.enum(["totp", "otp"])),
          backupCodesLeft: z.int(),
          trustedDevices: z.int(),
        })
        .optional(),
      /** The number of active sessions, including impersonations. At most 1,000, which stands for that many or more. */
      sessionCount: z.number(),
      /** Whether the caller has every permission of the user. Otherwise admin operations on the user are refused. */
      mayActOn: z.boolean(),
    }),
    errors: ["USER_NOT_FOUND"],
    repeatable: true,
  }),
  adminListDuplicates: operation({
    ...ofUser,
    name: "adminListDuplicates",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/users/{id}/duplicates",
    summary:
      "Lists the users who may be the same person as a user, and the merges that can be undone.",
    permission: {
      resource: "user",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
    },
    reply: z.object({
      duplicates: z.array(
        z.object({
          user: fullUserSchema.pick({
            id: true,
            name: true,
            email: true,
            emailVerified: true,
            createdAt: true,
          }),
          /**
           * - `same-mailbox`: the addresses differ only by a tag, as `ada+news@example.com` does from `ada@example.com`. At most 20 users.
           * - `same-name`: the names are the same, in any case, and at most 5 other users have it.
           */
          reasons: z.array(z.enum(["same-mailbox", "same-name"])),
        }),
      ),
      /** The merges of the user that can be undone, as the one who stays and as the one who was merged. */
      merges: z.array(merge),
    }),
    errors: ["USER_NOT_FOUND"],
    repeatable: true,
  }),
  adminMergeUsers: operation({
    ...ofAdmin,
    name: "adminMergeUsers",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/merge-users",
    summary:
      "Merges a user into another one, who gets their accounts, passkeys, memberships and API keys.",
    permission: mayMerge,
    refusesApiKeys: true,
    body: z.object({
      /** The user who stays. */
      userId: userIdText,
      /** The user whose accounts, passkeys, memberships and keys move. Deleted after a day. */
      mergedUserId: userIdText,
    }),
    reply: merge,
    errors: [
      "USER_NOT_FOUND",
      "YOU_CANNOT_MERGE_YOURSELF",
      "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
      "USERS_CANNOT_BE_MERGED",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  adminUndoMerge: operation({
    ...ofAdmin,
    name: "adminUndoMerge",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/undo-merge",
    summary: "Undoes a merge within a day. What it moved returns, and both users sign in anew.",
    permission: mayMerge,
    refusesApiKeys: true,
    body: z.object({ id: plainText(255).min(1) }),
    reply: status,
    errors: ["MERGE_NOT_FOUND", "USER_NOT_FOUND", "FAILED_TO_UPDATE_USER"],
  }),
  adminVerifyUserEmail: operation({
    ...ofUser,
    name: "adminVerifyUserEmail",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/users/{id}/verify-email",
    summary: "Marks the address of a user as verified.",
    permission: {
      resource: "user",
      action: "set-email",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
    },
    refusesApiKeys: true,
    reply: oneUser,
    errors: ["USER_NOT_FOUND", "INVALID_EMAIL", "FAILED_TO_UPDATE_USER"],
  }),
  adminSendVerification: operation({
    ...ofUser,
    name: "adminSendVerification",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/users/{id}/send-verification",
    summary: "Mails a user a link or code to verify their address.",
    mailsOthers: true,
    permission: mayUpdate,
    reply: status,
    errors: [
      "USER_NOT_FOUND",
      "VERIFICATION_EMAIL_ISNT_ENABLED",
      "INVALID_EMAIL",
      "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL",
    ],
  }),
  adminSendPasswordReset: operation({
    ...ofUser,
    name: "adminSendPasswordReset",
    stepUp: stepUps.mailsPasswordLink,
    method: "POST",
    path: "/admin/users/{id}/send-password-reset",
    summary: "Mails a user a link to choose a new password.",
    mailsOthers: true,
    permission: mayUpdate,
    body: z.object({ redirectTo }),
    bodyOptional: true,
    reply: status,
    errors: ["USER_NOT_FOUND", ...passwordLinkErrors],
    redirects: ["redirectTo"],
  }),
  adminInviteUser: operation({
    ...ofAdmin,
    name: "adminInviteUser",
    stepUp: stepUps.newUser,
    method: "POST",
    path: "/admin/invite-user",
    summary: "Creates a user without a password, and mails them a link to choose one.",
    mailsOthers: true,
    permission: mayCreate,
    refusesApiKeys: true,
    body: z.object({
      email: z.string(),
      name: plainText(1024),
      role: roles.optional(),
      /** Additional fields of the user. */
      data: z.looseObject({}).meta({ inputFieldsOf: "user" }).optional(),
      redirectTo,
    }),
    reply: oneUser,
    errors: [
      "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
      ["USER_ALREADY_EXISTS", 400],
      ["FAILED_TO_CREATE_USER", 422],
      ["FAILED_TO_CREATE_USER", 500],
      "FIELD_IS_REQUIRED",
      ...passwordLinkErrors,
    ],
    redirects: ["redirectTo"],
  }),
  adminResendUserInvitation: operation({
    ...ofUser,
    name: "adminResendUserInvitation",
    stepUp: stepUps.mailsPasswordLink,
    method: "POST",
    path: "/admin/users/{id}/resend-invitation",
    summary: "Mails an invited user a new link to choose a password; earlier links end.",
    mailsOthers: true,
    permission: mayCreate,
    refusesApiKeys: true,
    body: z.object({ redirectTo }),
    bodyOptional: true,
    reply: status,
    errors: ["USER_NOT_FOUND", "INVITATION_NOT_FOUND", ...passwordLinkErrors],
    redirects: ["redirectTo"],
  }),
});
