import { type Permissions, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Deps, Handler } from "../deps.ts";
import { addRole, changeRole, dropRole } from "../organization-roles/change-roles.ts";
import { showRole } from "../rows/roles.ts";
import { reachOrganization } from "./reach.ts";

/**
 * Refuses permissions that no role of the options has. An admin may give each of those roles to a member, so that a role which an
 * organization makes itself grants no more than an admin may give anyway.
 */
const checkOffered =
  (
    { config }: Pick<Deps, "config">,
    refusal: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE" | "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
  ) =>
  (permission: Permissions): void => {
    const roles = Object.values(config.organization.roles);
    const isOffered = (resource: string, action: string) =>
      roles.some((role) => Object.hasOwn(role, resource) && role[resource]?.includes(action));
    const missing = Object.entries(permission).flatMap(([resource, actions]) =>
      actions.filter((one) => !isOffered(resource, one)).map((one) => `${resource}:${one}`),
    );
    if (missing.length > 0) throw new WireError(refusal, { missingPermissions: missing });
  };

const checkAnything = (): void => {};

/**
 * Makes a role of any organization. Throws `ORGANIZATION_NOT_FOUND`, `YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE` with the permissions that no
 * role of the options has, `INVALID_RESOURCE`, `ROLE_NAME_IS_ALREADY_TAKEN` and `TOO_MANY_ROLES`.
 */
export const adminCreateOrganizationRole: Handler<"adminCreateOrganizationRole"> = async (
  deps,
  call,
) => {
  const { params, body, caller, session } = call;
  const change = await reachOrganization(deps, call, { operation: "adminCreateOrganizationRole" });
  const made = { id: await deps.newId("organizationRole"), organizationId: params.id, ...body };
  const check = checkOffered(deps, "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE");
  const row = await change(async (trx, organization) => {
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    return addRole(deps, trx, { ...made, by: { actor: sessionActor(session), caller, check } });
  });
  return { reply: showRole(row) };
};

/**
 * Changes a role of any organization. A permission that the options have dropped can be taken away. Throws `ROLE_NOT_FOUND`, also for a role
 * of another organization, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE`, `INVALID_RESOURCE` and `ROLE_NAME_IS_ALREADY_TAKEN`.
 */
export const adminUpdateOrganizationRole: Handler<"adminUpdateOrganizationRole"> = async (
  deps,
  call,
) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { roleId: id, data } = body;
  const target = { operation: "adminUpdateOrganizationRole", roleId: id } as const;
  const change = await reachOrganization(deps, call, target);
  if (data.permission) checkOffered(deps, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE")(data.permission);
  const by = { actor: sessionActor(session), caller, check: checkAnything };
  const row = await change((trx) =>
    changeRole(deps, trx, { which: { organizationId, id }, ...data, by }),
  );
  return { reply: showRole(row) };
};

/** Deletes a role of any organization. Throws `ROLE_NOT_FOUND`, also for a role of another organization, and `ROLE_IS_ASSIGNED_TO_MEMBERS`. */
export const adminDeleteOrganizationRole: Handler<"adminDeleteOrganizationRole"> = async (
  deps,
  call,
) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminDeleteOrganizationRole" });
  const by = { actor: sessionActor(session), caller, check: checkAnything };
  const row = await change((trx) =>
    dropRole(deps, trx, { which: { organizationId, id: body.roleId }, by }),
  );
  return { reply: showRole(row) };
};
