import { type ErrorCode, type Permissions, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import { type ActingMember, findOwnMembership, lockAsMember } from "../access/own-membership.ts";
import type { Acting } from "../access/require-second-factor.ts";
import type { Deps, Handler } from "../deps.ts";
import { findRole, listRoleRows, showRole, type WhichRole } from "../rows/roles.ts";
import { organizationOf } from "../sessions/active-organization.ts";
import { allows, missingPermissions } from "../roles/role-rules.ts";
import { addRole, changeRole, dropRole } from "./change-roles.ts";

/** An action on roles, with the error for members who may not do it. */
const refusals = {
  create: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE",
  update: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
  delete: "YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE",
} as const satisfies Record<string, ErrorCode>;

const checkMember =
  (action: string, refusal: ErrorCode) =>
  (member: ActingMember | undefined): ActingMember => {
    if (!member) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
    if (!allows(member.rules, member.role, ["ac", action])) throw new WireError(refusal);
    return member;
  };

/** Returns the member as the actor of a change. Permissions that they lack are refused and named. */
const byMember = (
  { rules, role }: ActingMember,
  action: keyof typeof refusals,
  { session, caller }: Acting,
) => ({
  actor: sessionActor(session),
  caller,
  check: (permission: Permissions): void => {
    const missing = missingPermissions(rules, role, permission);
    if (missing.length > 0) throw new WireError(refusals[action], { missingPermissions: missing });
  },
});

/**
 * Makes a role of an organization. The lock of the organization decides the number of its roles, and a unique index the name. Throws
 * `YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE`, `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, and
 * `YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE`, with the permissions that the caller lacks if it is for those. Throws `INVALID_RESOURCE`,
 * `ROLE_NAME_IS_ALREADY_TAKEN` and `TOO_MANY_ROLES`.
 */
export const createRole: Handler<"createRole"> = async (deps, call) => {
  const { body, session, caller } = call;
  const { role, permission } = body;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE");
  const check = checkMember("create", refusals.create);
  const made = { id: await deps.newId("organizationRole"), organizationId, role, permission };
  const row = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, check });
    return addRole(deps, trx, { ...made, by: byMember(own, "create", call) });
  });
  const roleData = showRole(row);
  return { reply: { success: true, roleData, statements: roleData.permission } };
};

/** Returns how a request names a role. A name is compared in lower case, as roles are stored. */
const whichRole = (
  organizationId: string,
  { roleName, roleId }: { roleName?: string | undefined; roleId?: string | undefined },
): WhichRole =>
  roleId
    ? { organizationId, id: roleId }
    : { organizationId, role: (roleName ?? "").toLowerCase() };

/**
 * Changes the permissions or the name of a role, in a transaction that has locked the organization. Members and pending invitations follow
 * a new name in the same transaction, so that nobody is without the role in between. The caller must have the permissions from before and
 * the new ones. Throws `NO_ACTIVE_ORGANIZATION`, `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE`,
 * `ROLE_NOT_FOUND`, also for a role of the options, `INVALID_RESOURCE` and `ROLE_NAME_IS_ALREADY_TAKEN`.
 */
export const updateRole: Handler<"updateRole"> = async (deps, call) => {
  const { body, session, caller } = call;
  const { permission, roleName } = body.data;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const check = checkMember("update", refusals.update);
  const change = { which: whichRole(organizationId, body), permission, roleName };
  const row = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, check });
    return changeRole(deps, trx, { ...change, by: byMember(own, "update", call) });
  });
  return { reply: { success: true, roleData: showRole(row) } };
};

/**
 * Deletes a role that nobody has. The caller must have its permissions. Throws `NO_ACTIVE_ORGANIZATION`,
 * `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE`, `CANNOT_DELETE_A_PRE_DEFINED_ROLE`,
 * `ROLE_NOT_FOUND` and `ROLE_IS_ASSIGNED_TO_MEMBERS`.
 */
export const deleteRole: Handler<"deleteRole"> = async (deps, call) => {
  const { body, session, caller } = call;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const check = checkMember("delete", refusals.delete);
  const which = whichRole(organizationId, body);
  await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, check });
    if ("role" in which && Object.hasOwn(deps.config.organization.roles, which.role))
      throw new WireError("CANNOT_DELETE_A_PRE_DEFINED_ROLE");
    await dropRole(deps, trx, { which, by: byMember(own, "delete", call) });
  });
  return { reply: { success: true } };
};

/** Returns the organization whose roles the caller may read. */
const readableOrganization = async (
  deps: Deps,
  call: Acting & { query: { organizationId?: string | undefined } },
  refusal: ErrorCode,
): Promise<string> => {
  const organizationId = organizationOf(call.session, call.query.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  checkMember("read", refusal)(await findOwnMembership(deps, call, { id: organizationId }));
  return organizationId;
};

/**
 * Returns the roles that an organization made itself, oldest first. Throws `NO_ACTIVE_ORGANIZATION`,
 * `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION` and `YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE`.
 */
export const listRoles: Handler<"listRoles"> = async (deps, call) => {
  const refusal = "YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE";
  const organizationId = await readableOrganization(deps, call, refusal);
  return { reply: (await listRoleRows(deps.db, organizationId)).map(showRole) };
};

/**
 * Returns one of them. Throws `NO_ACTIVE_ORGANIZATION`, `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE`
 * and `ROLE_NOT_FOUND`, also for a role of the options.
 */
export const getRole: Handler<"getRole"> = async (deps, call) => {
  const refusal = "YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE";
  const organizationId = await readableOrganization(deps, call, refusal);
  const row = await findRole(deps.db, whichRole(organizationId, call.query));
  if (!row) throw new WireError("ROLE_NOT_FOUND");
  return { reply: showRole(row) };
};
