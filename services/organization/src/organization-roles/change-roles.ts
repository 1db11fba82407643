import { type Permissions, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  countRoles,
  deleteRoleRow,
  findRole,
  insertRole,
  isRoleHeld,
  permissionOf,
  renameHeldRole,
  type RoleRow,
  updateRoleRow,
  type WhichRole,
} from "../rows/roles.ts";

// Changes of the roles that an organization made itself, each in a transaction that has locked the organization.

type Needs = Pick<Deps, "clock" | "config">;

interface By extends Required<Pick<AuditEntry, "actor" | "caller">> {
  /** Throws for permissions that the actor may not give, or not change. */
  check: (permission: Permissions) => void;
}

/** Refuses resources that no role of the options has. */
const checkResources = ({ config }: Pick<Deps, "config">, permission: Permissions): void => {
  const roles = Object.values(config.organization.roles);
  const isKnown = (resource: string) => roles.some((granted) => Object.hasOwn(granted, resource));
  if (!Object.keys(permission).every(isKnown)) throw new WireError("INVALID_RESOURCE");
};

/** Returns permissions in the form of a row, without duplicates. */
const writePermission = (permission: Permissions): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(permission).map(([resource, actions]) => [resource, [...new Set(actions)]]),
    ),
  );

/**
 * Refuses a name that another role has. Members may also hold a name from a role that the options have dropped: a role of that name would
 * give them permissions that nobody meant to give them.
 */
const checkNameFree = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { organizationId, role }: { organizationId: string; role: string },
): Promise<void> => {
  const named = { organizationId, role };
  const isTaken =
    Object.hasOwn(deps.config.organization.roles, role) ||
    (await findRole(trx, named)) !== undefined ||
    (await isRoleHeld(trx, { ...named, now: new Date(deps.clock()) }));
  if (isTaken) throw new WireError("ROLE_NAME_IS_ALREADY_TAKEN");
};

const auditedRole = ({ id, role, permission }: RoleRow) => ({
  id,
  role,
  permission: permissionOf({ permission }),
});

const entryOf = (
  organizationId: string,
  { actor, caller }: By,
): Pick<AuditEntry, "actor" | "caller" | "subject"> => ({
  actor,
  caller,
  subject: { kind: "organization", id: organizationId },
});

/** A new role. */
interface NewRole {
  id: string;
  organizationId: string;
  role: string;
  permission: Permissions;
}

/**
 * Makes a role. The lock of the organization decides the number of its roles, and a unique index the name. Throws `INVALID_RESOURCE`, the
 * error of the check, `ROLE_NAME_IS_ALREADY_TAKEN` and `TOO_MANY_ROLES`.
 */
export const addRole = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { by, permission, ...made }: NewRole & { by: By },
): Promise<RoleRow> => {
  const { organizationId, role } = made;
  checkResources(deps, permission);
  by.check(permission);
  await checkNameFree(deps, trx, { organizationId, role });
  const { maximumRolesPerOrganization } = deps.config.organization.dynamicAccessControl;
  if ((await countRoles(trx, organizationId)) >= maximumRolesPerOrganization)
    throw new WireError("TOO_MANY_ROLES");
  const createdAt = new Date(deps.clock());
  const row = { ...made, permission: writePermission(permission), createdAt, updatedAt: null };
  if (!(await insertRole(trx, row))) throw new WireError("ROLE_NAME_IS_ALREADY_TAKEN");
  await appendAudit(trx, deps, {
    ...entryOf(organizationId, by),
    action: "organization-role.created",
    after: auditedRole(row),
  });
  return row;
};

/** Returns a role that the actor may change: the check accepts its present permissions. Throws `ROLE_NOT_FOUND`. */
const requireRole = async (
  trx: Transaction<Tables>,
  which: WhichRole,
  { check }: By,
): Promise<RoleRow> => {
  const row = await findRole(trx, which);
  if (!row) throw new WireError("ROLE_NOT_FOUND");
  check(permissionOf(row));
  return row;
};

/** A change of a role. Missing members stay. */
interface RoleChange {
  which: WhichRole;
  permission?: Permissions | undefined;
  roleName?: string | undefined;
}

/**
 * Changes the permissions or the name of a role. Members and pending invitations follow a new name in the same transaction, so that nobody
 * is without the role in between. Throws `ROLE_NOT_FOUND`, `INVALID_RESOURCE`, the error of the check and `ROLE_NAME_IS_ALREADY_TAKEN`.
 */
export const changeRole = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { which, permission, roleName, by }: RoleChange & { by: By },
): Promise<RoleRow> => {
  const { organizationId } = which;
  const before = await requireRole(trx, which, by);
  if (permission) {
    checkResources(deps, permission);
    by.check(permission);
  }
  const role = roleName ?? before.role;
  const change = {
    role,
    permission: permission ? writePermission(permission) : before.permission,
    updatedAt: new Date(deps.clock()),
  };
  if (role === before.role && change.permission === before.permission) return before;
  if (role !== before.role) {
    await checkNameFree(deps, trx, { organizationId, role });
    await renameHeldRole(trx, { organizationId, from: before.role, to: role });
  }
  const after = await updateRoleRow(trx, before.id, change);
  await appendAudit(trx, deps, {
    ...entryOf(organizationId, by),
    action: "organization-role.updated",
    before: auditedRole(before),
    after: auditedRole(after),
  });
  return after;
};

/** Deletes a role that nobody has, and returns it. Throws `ROLE_NOT_FOUND`, the error of the check and `ROLE_IS_ASSIGNED_TO_MEMBERS`. */
export const dropRole = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { which, by }: { which: WhichRole; by: By },
): Promise<RoleRow> => {
  const { organizationId } = which;
  const row = await requireRole(trx, which, by);
  if (await isRoleHeld(trx, { organizationId, role: row.role, now: new Date(deps.clock()) }))
    throw new WireError("ROLE_IS_ASSIGNED_TO_MEMBERS");
  await deleteRoleRow(trx, row.id);
  await appendAudit(trx, deps, {
    ...entryOf(organizationId, by),
    action: "organization-role.deleted",
    before: auditedRole(row),
  });
  return row;
};
