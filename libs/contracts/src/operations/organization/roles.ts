import { z } from "zod";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { organizationRoleName } from "../../options/roles.ts";
import { plainText } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { id, ofMember, organizationRoleSchema } from "./objects.ts";

const ofRoles = { ...ofMember, feature: "organizationRoles" } as const;

const partsMax = 64;
const actions = z.array(plainText(64).min(1)).max(partsMax);

/** Resources of `organization.roles` and the actions on each that a role allows. */
export const rolePermission = z
  .record(plainText(64).min(1), actions)
  .refine(
    (given) => Object.keys(given).length <= partsMax,
    `must not exceed ${partsMax} resources`,
  );

/** A new name, in lower case. */
export const newRoleName = plainText(63).toLowerCase().pipe(organizationRoleName);

/** The role that a request names. */
export const roleByNameOrId = { roleName: plainText(64).optional(), roleId: id.optional() };

const isNamed = ({
  roleName,
  roleId,
}: {
  roleName?: string | undefined;
  roleId?: string | undefined;
}) => Boolean(roleName) !== Boolean(roleId);
const oneOfBoth = "either `roleName` or `roleId`";

export const roleChange = z.object({
  permission: rolePermission.optional(),
  roleName: newRoleName.optional(),
});
const changed = z.object({ success: z.boolean(), roleData: organizationRoleSchema });

/** Roles that organizations make themselves, if the options enable them. */
export const organizationRoleOperations = operationGroup("Roles", {
  createRole: operation({
    ...ofRoles,
    name: "createRole",
    stepUp: stepUps.rolePermission,
    method: "POST",
    path: "/organization/create-role",
    summary: "Makes a role of an organization, with permissions that the caller has.",
    refusesImpersonators: true,
    body: z.object({
      role: newRoleName,
      permission: rolePermission,
      organizationId: id.optional(),
    }),
    reply: changed.extend({ statements: rolePermission }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
      "INVALID_RESOURCE",
      "ROLE_NAME_IS_ALREADY_TAKEN",
      "TOO_MANY_ROLES",
    ],
  }),
  updateRole: operation({
    ...ofRoles,
    name: "updateRole",
    stepUp: stepUps.rolePermission,
    method: "POST",
    path: "/organization/update-role",
    summary:
      "Changes the permissions or the name of a role. Members and invitations keep it under its new name.",
    refusesImpersonators: true,
    body: z
      .object({ ...roleByNameOrId, organizationId: id.optional(), data: roleChange })
      .refine(isNamed, oneOfBoth),
    reply: changed,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
      "ROLE_NOT_FOUND",
      "INVALID_RESOURCE",
      "ROLE_NAME_IS_ALREADY_TAKEN",
    ],
  }),
  deleteRole: operation({
    ...ofRoles,
    name: "deleteRole",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/delete-role",
    summary: "Deletes a role that no member and no pending invitation has.",
    body: z.object({ ...roleByNameOrId, organizationId: id.optional() }).refine(isNamed, oneOfBoth),
    reply: z.object({ success: z.boolean() }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE",
      "CANNOT_DELETE_A_PRE_DEFINED_ROLE",
      "ROLE_NOT_FOUND",
      "ROLE_IS_ASSIGNED_TO_MEMBERS",
    ],
  }),
  listRoles: operation({
    ...ofRoles,
    name: "listRoles",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-roles",
    summary: "Lists the roles that an organization made itself, oldest first.",
    query: z.object({ organizationId: id.optional() }),
    reply: z.array(organizationRoleSchema),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE",
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  getRole: operation({
    ...ofRoles,
    name: "getRole",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-role",
    summary: "Shows a role that an organization made itself.",
    query: z
      .object({ ...roleByNameOrId, organizationId: id.optional() })
      .refine(isNamed, oneOfBoth),
    reply: organizationRoleSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE",
      "ROLE_NOT_FOUND",
    ],
    repeatable: true,
    sharesCalls: true,
  }),
});
