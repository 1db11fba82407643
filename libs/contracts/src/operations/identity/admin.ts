import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";
import { createUserBody, createUserErrors, oneUser, roles, userData } from "./admin-schemas.ts";
import { oneOrMore } from "../pages.ts";
import { permissionQuestion, permissionVerdict } from "../permissions.ts";
import { operationGroup } from "../../operation-group.ts";

const success = z.object({ success: z.boolean() });
const trueOrFalse = z.enum(["true", "false"]);
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const listQuery = z.object({
  searchValue: plainText(255).optional(),
  /**
   * `any` finds each word of the term in the address or name, at the beginning of the username, or as the whole id. A term with an `@` is an
   * address. Accents of names do not count, except in a term of one or two letters. A whole IP address finds the users who last signed in from
   * it, for admins who may list the sessions of everybody.
   */
  searchField: z.enum(["email", "name", "any"]).optional(),
  searchOperator: z.enum(["contains", "starts_with", "ends_with"]).optional(),
  filterField: plainText(64).optional(),
  /** Several values only with `in`. */
  filterValue: oneOrMore.optional(),
  /** `has` applies only to `role`, which may hold several roles in one text. */
  filterOperator: z
    .enum(["eq", "ne", "lt", "lte", "gt", "gte", "in", "contains", "has"])
    .optional(),
  /** Only users with this role, beside the filter. All of the following may be combined. */
  role: plainText(64).optional(),
  banned: trueOrFalse.optional(),
  emailVerified: trueOrFalse.optional(),
  hasSecondFactor: trueOrFalse.optional(),
  /** Guests, who are otherwise left out. */
  isAnonymous: trueOrFalse.optional(),
  /** Only users who have this way in: `password`, `passkey`, or a provider such as `github`. */
  signsInWith: plainText(64).optional(),
  /** Bounds of the sign-up. Both are included; a day without a time is one in UTC. */
  createdFrom: moment.optional(),
  createdTo: moment.optional(),
  /** Whether the reply has `lastSignInAt`. */
  withLastSignIn: trueOrFalse.optional(),
  sortBy: plainText(64).optional(),
  sortDirection: z.enum(["asc", "desc"]).optional(),
  limit: z.string().max(32).optional(),
  offset: z.string().max(32).optional(),
  cursor: z.string().max(1024).optional(),
});

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const may = <const Refusal extends string>(resource: string, action: string, refusal: Refusal) =>
  ({ resource, action, refusal }) as const;

/** Operations of admins on the users and sessions of others. */
export const adminOperations = operationGroup("Admin", {
  adminSetRole: operation({
    ...ofAdmin,
    name: "adminSetRole",
    stepUp: stepUps.userRole,
    method: "POST",
    path: "/admin/set-role",
    summary: "Sets the roles of a user.",
    permission: may("user", "set-role", "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"),
    refusesApiKeys: true,
    body: z.object({ userId: userIdText, role: roles }),
    reply: oneUser,
    errors: [
      "USER_NOT_FOUND",
      "YOU_CANNOT_DEMOTE_YOURSELF",
      "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  adminCreateUser: operation({
    ...ofAdmin,
    name: "adminCreateUser",
    stepUp: stepUps.newUser,
    method: "POST",
    path: "/admin/create-user",
    summary: "Creates a user, with a password if one is given.",
    permission: may("user", "create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS"),
    refusesApiKeys: true,
    body: z.object(createUserBody),
    reply: oneUser,
    errors: createUserErrors,
    password: "set",
  }),
  adminListUsers: operation({
    ...ofAdmin,
    name: "adminListUsers",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/list-users",
    summary: "Searches, filters, sorts and pages through the users.",
    permission: may("user", "list", "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"),
    query: listQuery,
    reply: z.object({
      users: z.array(
        fullUserSchema
          .extend({
            revision: z
              .number()
              .describe("Orders this state of the user among those in the events of webhooks."),
            /** Null if none is known. Only with `withLastSignIn`. */
            lastSignInAt: timestamp.nullable().optional(),
          })
          .meta({ fieldsOf: "user" }),
      ),
      /** The number of all matching users, exact up to 10,000. */
      total: z.number(),
      totalIsEstimate: z.boolean().optional(),
      limit: z.number().optional(),
      offset: z.number().optional(),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: z.string().optional(),
    }),
    errors: [],
    repeatable: true,
  }),
  adminReadUser: operation({
    ...ofAdmin,
    name: "adminReadUser",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/get-user",
    summary: "Returns a user.",
    permission: may("user", "get", "YOU_ARE_NOT_ALLOWED_TO_GET_USER"),
    query: z.object({ id: userIdText }),
    reply: fullUserSchema,
    errors: ["USER_NOT_FOUND"],
    repeatable: true,
  }),
  adminUpdateUser: operation({
    ...ofAdmin,
    name: "adminUpdateUser",
    stepUp: stepUps.userChange,
    method: "POST",
    path: "/admin/update-user",
    summary: "Changes a user; changing roles, ban or address also needs the permission for it.",
    permission: may("user", "update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS"),
    refusesApiKeys: true,
    body: z.object({
      userId: userIdText,
      /** `null` removes the picture. Members that cannot be changed are ignored. */
      data: userData.safeExtend({ email: z.string().optional() }),
    }),
    reply: fullUserSchema,
    errors: [
      "NO_DATA_TO_UPDATE",
      "PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER",
      "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
      "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
      "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
      "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
      "YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR",
      "USER_NOT_FOUND",
      "USER_IS_MERGED",
      "YOU_CANNOT_DEMOTE_YOURSELF",
      "YOU_CANNOT_BAN_YOURSELF",
      "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
      "INVALID_EMAIL",
      "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
      "USERNAME_IS_TOO_SHORT",
      "USERNAME_IS_TOO_LONG",
      "USERNAME_IS_INVALID",
      "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
      "FIELD_IS_REQUIRED",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  adminListUserSessions: operation({
    ...ofAdmin,
    name: "adminListUserSessions",
    stepUp: stepUps.reads,
    method: "POST",
    path: "/admin/list-user-sessions",
    summary:
      "Lists the sessions of a user, each with a handle in place of its token; the audit records it.",
    permission: may("session", "list", "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS"),
    refusesApiKeys: true,
    body: z.object({ userId: userIdText }),
    /** `token` is a handle: `/admin/revoke-user-session` accepts it, but it cannot be used to sign in. */
    reply: z.object({
      sessions: z.array(
        sessionSchema
          .extend({
            /** Only for impersonations: the reason that the admin gave, if any. */
            impersonationReason: z.string().nullable().optional(),
          })
          .meta({ fieldsOf: "session" }),
      ),
    }),
    errors: [],
  }),
  adminBanUser: operation({
    ...ofAdmin,
    name: "adminBanUser",
    stepUp: stepUps.ban,
    method: "POST",
    path: "/admin/ban-user",
    summary: "Bans a user and ends all their sessions.",
    permission: may("user", "ban", "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
    body: z.object({
      userId: userIdText,
      banReason: plainText(1024).optional(),
      banExpiresIn: z.number().min(0).max(3_155_760_000).optional(),
    }),
    reply: oneUser,
    errors: [
      "YOU_CANNOT_BAN_YOURSELF",
      "USER_NOT_FOUND",
      "USER_IS_MERGED",
      "YOU_CANNOT_REMOVE_THE_LAST_ADMIN",
      "FAILED_TO_UPDATE_USER",
    ],
  }),
  adminUnbanUser: operation({
    ...ofAdmin,
    name: "adminUnbanUser",
    stepUp: stepUps.unban,
    method: "POST",
    path: "/admin/unban-user",
    summary: "Lifts the ban of a user.",
    permission: may("user", "ban", "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
    refusesApiKeys: true,
    body: z.object({ userId: userIdText }),
    reply: oneUser,
    errors: ["USER_NOT_FOUND", "USER_IS_MERGED", "FAILED_TO_UPDATE_USER"],
  }),
  adminRevokeUserSession: operation({
    ...ofAdmin,
    name: "adminRevokeUserSession",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/revoke-user-session",
    summary: "Ends one session of a user, named by its token or by its handle.",
    permission: may("session", "revoke", "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    body: z.object({ sessionToken: z.string() }),
    reply: success,
    errors: [],
  }),
  adminRevokeUserSessions: operation({
    ...ofAdmin,
    name: "adminRevokeUserSessions",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/revoke-user-sessions",
    summary: "Ends every session of a user.",
    permission: may("session", "revoke", "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    body: z.object({ userId: userIdText }),
    reply: success,
    errors: [],
  }),
  adminRemoveUser: operation({
    ...ofAdmin,
    name: "adminRemoveUser",
    stepUp: stepUps.removesUser,
    method: "POST",
    path: "/admin/remove-user",
    summary: "Deletes a user with their sessions and accounts.",
    permission: may("user", "delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS"),
    body: z.object({ userId: userIdText }),
    reply: success,
    errors: ["YOU_CANNOT_REMOVE_YOURSELF", "YOU_CANNOT_REMOVE_THE_LAST_ADMIN"],
  }),
  adminSetUserPassword: operation({
    ...ofAdmin,
    name: "adminSetUserPassword",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/set-user-password",
    summary: "Replaces the password of a user and ends all their sessions.",
    permission: may("user", "set-password", "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD"),
    refusesApiKeys: true,
    body: z.object({ userId: userIdText, newPassword: z.string() }),
    reply: z.object({
      status: z.boolean(),
      changed: z
        .literal(false)
        .optional()
        .describe("Present if nothing has changed: the user has no password, or does not exist."),
    }),
    errors: [
      "PASSWORD_TOO_SHORT",
      "PASSWORD_TOO_LONG",
      "PASSWORD_COMPROMISED",
      "FAILED_TO_UPDATE_USER",
    ],
    password: "set",
  }),
  adminHasPermission: operation({
    ...ofAdmin,
    name: "adminHasPermission",
    stepUp: stepUps.reads,
    method: "POST",
    path: "/admin/has-permission",
    summary: "Returns whether the caller's roles allow all of the named actions.",
    access: "session",
    body: permissionQuestion,
    reply: permissionVerdict,
    errors: [],
    repeatable: true,
  }),
  adminListPermissions: operation({
    ...ofAdmin,
    name: "adminListPermissions",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/permissions",
    summary: "Lists which actions of the admin operations the caller's roles allow.",
    access: "session",
    reply: z.object({
      /** Resources to actions. A resource without an allowed action is left out. */
      permissions: z.record(z.string(), z.array(z.string())),
    }),
    errors: [],
    repeatable: true,
    sharesCalls: true,
  }),
});
