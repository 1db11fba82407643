import { anyRoleAllows, readRoleNames, splitRoles } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";

type RoleOptions = Pick<OrganizationConfig["organization"], "creatorRole" | "roles">;

/** Whether a member's roles, separated by commas, allow an action on a resource. */
export const allows = (
  { roles }: Pick<RoleOptions, "roles">,
  role: string,
  [resource, action]: readonly [resource: string, action: string],
): boolean => anyRoleAllows(roles, splitRoles(role), { permissions: { [resource]: [action] } });

/** Whether a list of roles holds the one that somebody always keeps. */
export const isOwner = ({ creatorRole }: Pick<RoleOptions, "creatorRole">, role: string): boolean =>
  splitRoles(role).includes(creatorRole);

/** Roles as a row holds them: trimmed, each once. Refuses none at all, and one that is not configured. */
export const readRoles = (
  { roles }: Pick<RoleOptions, "roles">,
  given: string | readonly string[],
): string => readRoleNames(given, (name) => Object.hasOwn(roles, name));
