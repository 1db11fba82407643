import { anyRoleAllows, readRoleNames, splitRoles } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";

type RoleOptions = Pick<OrganizationConfig["organization"], "creatorRole" | "roles">;

/** Returns whether a member's roles, separated by commas, allow an action on a resource. */
export const allows = (
  { roles }: Pick<RoleOptions, "roles">,
  role: string,
  [resource, action]: readonly [resource: string, action: string],
): boolean => anyRoleAllows(roles, splitRoles(role), { permissions: { [resource]: [action] } });

/** Returns whether a list of roles contains the creator role, which at least one member always keeps. */
export const isOwner = ({ creatorRole }: Pick<RoleOptions, "creatorRole">, role: string): boolean =>
  splitRoles(role).includes(creatorRole);

/**
 * Returns whether some roles have every permission of others, and the creator role if those have it. Otherwise a member could give a role
 * that allows more than their own, and so gain it.
 */
export const mayGive = (rules: RoleOptions, own: string, role: string): boolean =>
  (isOwner(rules, own) || !isOwner(rules, role)) &&
  splitRoles(role).every((name) =>
    Object.entries(Object.hasOwn(rules.roles, name) ? (rules.roles[name] ?? {}) : {}).every(
      ([resource, actions]) => actions.every((action) => allows(rules, own, [resource, action])),
    ),
  );

/** Returns whether a member with some roles may invite to others. */
export const mayInviteTo = (rules: RoleOptions, own: string, role: string): boolean =>
  allows(rules, own, ["invitation", "create"]) && mayGive(rules, own, role);

/** Returns roles in the form of a row: trimmed and without duplicates. Throws if there is none, or an unknown one. */
export const readRoles = (
  { roles }: Pick<RoleOptions, "roles">,
  given: string | readonly string[],
): string => readRoleNames(given, (name) => Object.hasOwn(roles, name));
