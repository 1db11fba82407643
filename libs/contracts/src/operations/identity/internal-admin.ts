import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { createUserBody, createUserErrors, oneUser, roles } from "./admin-schemas.ts";
import { connectedPermissionQuestion, permissionVerdict } from "../permissions.ts";

/** What services ask for of that which admins do. */
export const internalAdminOperations = {
  createUser: operation({
    name: "createUser",
    owner: "identity",
    exposure: "internal",
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
  }),
  setRole: operation({
    name: "setRole",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/admin/set-role",
    summary: "Gives a user other roles.",
    body: z.object({ userId: userIdText, role: roles }),
    reply: oneUser,
    errors: ["USER_NOT_FOUND", "YOU_CANNOT_REMOVE_THE_LAST_ADMIN", "FAILED_TO_UPDATE_USER"],
    access: "anyone",
  }),
  hasPermission: operation({
    name: "hasPermission",
    owner: "identity",
    exposure: "internal",
    method: "POST",
    path: "/admin/has-permission",
    summary: "Says whether the roles of a user, or a role, allow some actions.",
    body: connectedPermissionQuestion.safeExtend({
      userId: userIdText.optional(),
      role: plainText(1024).optional(),
    }),
    reply: permissionVerdict,
    errors: ["PERMISSION_USER_NOT_FOUND"],
    access: "anyone",
    repeatable: true,
  }),
} as const;
