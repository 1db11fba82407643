import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { ofAdmin, ofOrganization, mayUpdate } from "./of-admin.ts";
import { id, organizationRoleSchema } from "./objects.ts";
import { newRoleName, roleChange, rolePermission } from "./roles.ts";
import { operationGroup } from "../../operation-group.ts";

const ofRoles = {
  ...ofAdmin,
  method: "POST",
  feature: "organizationRolesAdmin",
  permission: mayUpdate,
  params: ofOrganization,
} as const;

/** Operations of installation admins on the roles that any organization makes itself. */
export const roleAdminOperations = operationGroup("Admin", {
  adminCreateOrganizationRole: operation({
    ...ofRoles,
    name: "adminCreateOrganizationRole",
    stepUp: stepUps.rolePermission,
    path: "/admin/organizations/{id}/create-role",
    summary:
      "Makes a role of an organization, of permissions that roles of the configuration have.",
    body: z.object({ role: newRoleName, permission: rolePermission }),
    reply: organizationRoleSchema,
    errors: [
      "ORGANIZATION_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
      "INVALID_RESOURCE",
      "ROLE_NAME_IS_ALREADY_TAKEN",
      "TOO_MANY_ROLES",
    ],
  }),
  adminUpdateOrganizationRole: operation({
    ...ofRoles,
    name: "adminUpdateOrganizationRole",
    stepUp: stepUps.rolePermission,
    path: "/admin/organizations/{id}/update-role",
    summary:
      "Changes the permissions or the name of a role that an organization made itself. Members and invitations keep it under its new name.",
    body: z.object({ roleId: id, data: roleChange }),
    reply: organizationRoleSchema,
    errors: [
      "ROLE_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
      "INVALID_RESOURCE",
      "ROLE_NAME_IS_ALREADY_TAKEN",
    ],
  }),
  adminDeleteOrganizationRole: operation({
    ...ofRoles,
    name: "adminDeleteOrganizationRole",
    stepUp: stepUps.takesAway,
    path: "/admin/organizations/{id}/delete-role",
    summary:
      "Deletes a role that an organization made itself, and that no member and no pending invitation has.",
    body: z.object({ roleId: id }),
    reply: organizationRoleSchema,
    errors: ["ROLE_NOT_FOUND", "ROLE_IS_ASSIGNED_TO_MEMBERS"],
  }),
});
