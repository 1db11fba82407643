import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { createUserBody, createUserErrors, oneUser, roles } from "./admin-schemas.ts";
import { connectedPermissionQuestion, permissionVerdict } from "../permissions.ts";

const targetsMax = 10_000;

/** Admin operations for services. */
export const internalAdminOperations = {
  createUser: operation({
    name: "createUser",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/admin/create-user",
    summary: "Creates a user with a password; an `id` counts only with `forceAllowId`.",
    body: z.object({
      ...createUserBody,
      id: plainText(64).min(1).optional(),
      forceAllowId: z.boolean().optional(),
    }),
    reply: oneUser,
    errors: createUserErrors,
    access: "anyone",
    password: "set",
  }),
  setRole: operation({
    name: "setRole",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/admin/set-role",
    summary: "Sets the roles of a user.",
    body: z.object({ userId: userIdText, role: roles }),
    reply: oneUser,
    errors: ["USER_NOT_FOUND", "YOU_CANNOT_REMOVE_THE_LAST_ADMIN", "FAILED_TO_UPDATE_USER"],
    access: "anyone",
  }),
  hasPermission: operation({
    name: "hasPermission",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/admin/has-permission",
    summary: "Returns whether the roles of a user, or a role, allow the named actions.",
    body: connectedPermissionQuestion.safeExtend({
      userId: userIdText.optional(),
      role: plainText(1024).optional(),
    }),
    reply: permissionVerdict,
    errors: ["PERMISSION_USER_NOT_FOUND"],
    access: "anyone",
    repeatable: true,
  }),
  recordRateLimitReset: operation({
    name: "recordRateLimitReset",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/admin/record-rate-limit-reset",
    summary: "Records in the audit log that an admin resets the rate limits of an IP address.",
    body: z.object({
      adminId: userIdText,
      ipAddress: plainText(64).min(1),
      /** The admin's client. */
      client: z.object({ address: plainText(64), apiKeyId: plainText(255).optional() }),
    }),
    reply: z.object({ status: z.literal(true) }),
    errors: [],
    access: "anyone",
  }),
  mayActOn: operation({
    name: "mayActOn",
    stepUp: stepUps.services,
    owner: "identity",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/admin/may-act-on",
    summary: "Returns whether a user has a permission, and all permissions of some other users.",
    body: z.object({
      userId: userIdText,
      /** The permission that the operation requires. */
      permission: z.object({ resource: z.string(), action: z.string() }),
      /** Deleted users are ignored. */
      targetIds: z.array(plainText(255)).max(targetsMax),
    }),
    reply: z.object({ success: z.boolean() }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;
