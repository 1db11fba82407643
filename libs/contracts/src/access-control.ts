import { adminStatements } from "./options/admin.ts";
import { WireError } from "./wire-error.ts";

/** Resources and the actions on each: the permissions of a role, or the permissions that a caller requests. */
export type Permissions = Readonly<Record<string, readonly string[]>>;

/** The permissions of each role, by role name. */
export type RoleDefinitions = Readonly<Record<string, Permissions>>;

/** Splits the comma-separated roles of a stored row. */
export const splitRoles = (role: string): string[] => role.split(",");

/** How several requested actions or resources are combined. */
export type Connector = "AND" | "OR";

/** Resources and the actions requested on each. A plain list requires all of its actions; an object names its connector. */
export type AskedPermissions = Readonly<
  Record<string, readonly string[] | { actions: readonly string[]; connector: Connector }>
>;

/** A permission check. `connector` combines the resources; the default is AND. */
export interface PermissionQuestion {
  permissions: AskedPermissions;
  connector?: Connector | undefined;
}

const allowsActions = (allowed: readonly string[], asked: AskedPermissions[string]): boolean => {
  const isAllowed = (action: string) => allowed.includes(action);
  if (!("actions" in asked)) return asked.every(isAllowed);
  return asked.connector === "OR" ? asked.actions.some(isAllowed) : asked.actions.every(isAllowed);
};

/**
 * Evaluates one role, resource by resource in the order of the question. A resource that the role does not name ends the evaluation
 * with false, unless an earlier resource sufficed (OR).
 */
const roleAllows = (
  role: Permissions,
  { permissions, connector = "AND" }: PermissionQuestion,
): boolean => {
  let verdict = false;
  for (const [resource, asked] of Object.entries(permissions)) {
    const allowed = Object.hasOwn(role, resource) ? role[resource] : undefined;
    if (allowed === undefined) return false;
    verdict = allowsActions(allowed, asked);
    if (verdict === (connector === "OR")) return verdict;
  }
  return verdict;
};

/**
 * Returns whether at least one role allows everything that is requested. The permissions of two roles are not combined. Unknown roles
 * allow nothing, and an empty request is never allowed.
 */
export const anyRoleAllows = (
  definitions: RoleDefinitions,
  names: readonly string[],
  question: PermissionQuestion,
): boolean =>
  names.some((name) => {
    const role = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return role !== undefined && roleAllows(role, question);
  });

/** Returns role names as they are stored: trimmed, without duplicates. Rejects an empty list and unknown roles. */
export const readRoleNames = (
  given: string | readonly string[],
  isKnown: (name: string) => boolean,
): string => {
  const names = [given].flat().flatMap((text) => text.split(",").map((name) => name.trim()));
  if (names.length === 0 || !names.every(isKnown))
    throw new WireError("VALIDATION_ERROR", {
      issues: [{ path: "role", message: "must be one or more of the configured roles" }],
    });
  return [...new Set(names)].join(",");
};

/** The admin options that decide who is an admin and what roles may do. */
interface AdminRules {
  readonly defaultRole: string;
  readonly adminUserIds: readonly string[];
  readonly roles: RoleDefinitions;
}

/** The subject of a permission check: a user, or a role by itself. */
export interface RoleHolder {
  id?: string | undefined;
  role?: string | null | undefined;
}

/** Returns the roles of a user in the installation. A user without a role has the default role. */
export const rolesOf = (
  { defaultRole }: Pick<AdminRules, "defaultRole">,
  { role }: RoleHolder,
): string[] => splitRoles(role || defaultRole);

/** Returns whether the admin options allow the request to this holder. */
export const mayDo = (
  rules: AdminRules,
  holder: RoleHolder,
  question: PermissionQuestion,
): boolean =>
  (holder.id !== undefined && rules.adminUserIds.includes(holder.id)) ||
  anyRoleAllows(rules.roles, rolesOf(rules, holder), question);

/** Returns whether the admin options allow all of the permissions to this holder. */
export const hasPermissions = (
  rules: AdminRules,
  holder: RoleHolder,
  permissions: Permissions,
): boolean => mayDo(rules, holder, { permissions });

/** Returns the permissions that a user's roles grant. An id in `adminUserIds` has every permission. */
const grantsOf = (rules: AdminRules, holder: RoleHolder): Permissions[] =>
  holder.id !== undefined && rules.adminUserIds.includes(holder.id)
    ? [adminStatements, ...Object.values(rules.roles)]
    : rolesOf(rules, holder)
        .filter((name) => Object.hasOwn(rules.roles, name))
        .map((name) => rules.roles[name] ?? {});

/**
 * Returns whether the caller's permissions include each permission of the target, a user or a role. Without this check a caller could
 * take over the target's account and gain permissions that the caller lacks.
 */
export const mayActOn = (rules: AdminRules, caller: RoleHolder, target: RoleHolder): boolean =>
  grantsOf(rules, target).every((granted) =>
    Object.entries(granted).every(([resource, actions]) =>
      actions.every((action) => hasPermissions(rules, caller, { [resource]: [action] })),
    ),
  );

/** Returns whether a caller may act on every user, regardless of the roles that users have now or later. */
export const mayActOnEverybody = (rules: AdminRules, caller: RoleHolder): boolean => {
  const roles = Object.keys(rules.roles).map((role) => ({ role }));
  const named = rules.adminUserIds.map((id) => ({ id }));
  return [...roles, ...named].every((target) => mayActOn(rules, caller, target));
};

/** Returns whether a user is an admin. By default admins cannot be impersonated. The last admin cannot be removed. */
export const isAdmin = (
  rules: Pick<AdminRules, "adminUserIds" | "defaultRole"> & {
    readonly adminRoles: readonly string[];
  },
  holder: RoleHolder,
): boolean =>
  (holder.id !== undefined && rules.adminUserIds.includes(holder.id)) ||
  rolesOf(rules, holder).some((role) => rules.adminRoles.includes(role));
