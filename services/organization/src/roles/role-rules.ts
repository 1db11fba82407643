import {
  anyRoleAllows,
  organizationRoleName,
  type Permissions,
  readRoleNames,
  splitRoles,
  WireError,
} from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { listRolesNamed, permissionOf } from "../rows/roles.ts";

type Options = OrganizationConfig["organization"];

/** The permissions of roles, and the role that at least one member always keeps. */
export type RoleRules = Pick<Options, "creatorRole" | "roles">;

/**
 * Returns the rules for some roles of an organization, separated by commas: those of the options, and of the roles that the organization
 * made itself. A role of the options is never replaced. Reads only for names that the options do not know. In a transaction that has locked
 * the organization the rules hold until it ends, because every change of a role takes that lock (ADR 118).
 */
export const rulesFor = async (
  { config: { organization }, db }: Pick<Deps, "config" | "db">,
  { organizationId, role }: { organizationId: string; role: string },
): Promise<RoleRules> => {
  const names = splitRoles(role).filter((name) => !Object.hasOwn(organization.roles, name));
  if (!organization.dynamicAccessControl.enabled || names.length === 0) return organization;
  const rows = await listRolesNamed(db, { organizationId, names: names.join(",") });
  const { creatorRole, roles } = organization;
  const made = Object.fromEntries(rows.map((row) => [row.role, permissionOf(row)]));
  return { creatorRole, roles: { ...made, ...roles } as Options["roles"] };
};

/** Returns whether a member's roles, separated by commas, allow an action on a resource. */
export const allows = (
  { roles }: Pick<RoleRules, "roles">,
  role: string,
  [resource, action]: readonly [resource: string, action: string],
): boolean => anyRoleAllows(roles, splitRoles(role), { permissions: { [resource]: [action] } });

/** Returns whether a list of roles contains the creator role, which at least one member always keeps. */
export const isOwner = ({ creatorRole }: Pick<RoleRules, "creatorRole">, role: string): boolean =>
  splitRoles(role).includes(creatorRole);

/** Returns those of some permissions that a member's roles do not have, as `resource:action`. */
export const missingPermissions = (
  rules: Pick<RoleRules, "roles">,
  own: string,
  permission: Permissions,
): string[] =>
  Object.entries(permission).flatMap(([resource, actions]) =>
    actions
      .filter((action) => !allows(rules, own, [resource, action]))
      .map((action) => `${resource}:${action}`),
  );

/**
 * Returns whether some roles have every permission of others, and the creator role if those have it. Otherwise a member could give a role
 * that allows more than their own, and so gain it.
 */
export const mayGive = (rules: RoleRules, own: string, role: string): boolean =>
  (isOwner(rules, own) || !isOwner(rules, role)) &&
  splitRoles(role).every((name) => {
    const granted = Object.hasOwn(rules.roles, name) ? (rules.roles[name] ?? {}) : {};
    return missingPermissions(rules, own, granted).length === 0;
  });

/** Returns whether a member with some roles may invite to others. */
export const mayInviteTo = (rules: RoleRules, own: string, role: string): boolean =>
  allows(rules, own, ["invitation", "create"]) && mayGive(rules, own, role);

/**
 * Returns roles in the form of a row: trimmed and without duplicates. Throws if there is none, or one that cannot exist. A name that the
 * options do not know may be a role of the organization, which `requireRoles` decides once the caller is known to be a member.
 */
export const readRoles = (
  { roles, dynamicAccessControl }: Pick<Options, "dynamicAccessControl" | "roles">,
  given: string | readonly string[],
): string =>
  readRoleNames(
    given,
    (name) =>
      Object.hasOwn(roles, name) ||
      (dynamicAccessControl.enabled && organizationRoleName.safeParse(name).success),
  );

/** Throws `VALIDATION_ERROR` if the rules lack one of some roles. */
export const requireRoles = ({ roles }: Pick<RoleRules, "roles">, role: string): void => {
  if (splitRoles(role).every((name) => Object.hasOwn(roles, name))) return;
  throw new WireError("VALIDATION_ERROR", {
    issues: [{ path: "role", message: "must be one or more of the organization's roles" }],
  });
};
