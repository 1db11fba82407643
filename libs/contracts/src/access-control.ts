import { WireError } from "./wire-error.ts";

/** Resources and actions on each: what a role allows, or what somebody asks for. */
export type Permissions = Readonly<Record<string, readonly string[]>>;

/** What each role allows, by its name. */
export type RoleDefinitions = Readonly<Record<string, Permissions>>;

/** The roles that a row names, by commas. */
export const splitRoles = (role: string): string[] => role.split(",");

/**
 * Whether any one of some roles allows every action that is asked for; what two roles allow is not put together. Unknown
 * roles allow nothing, nor does a role that says nothing of a resource, and nobody is told yes who asked for nothing.
 */
export const anyRoleAllows = (
  definitions: RoleDefinitions,
  names: readonly string[],
  asked: Permissions,
): boolean => {
  const wanted = Object.entries(asked);
  const allows = (name: string) => {
    const role = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    return (
      role !== undefined &&
      wanted.every(([resource, actions]) => {
        const allowed = Object.hasOwn(role, resource) ? role[resource] : undefined;
        return allowed !== undefined && actions.every((action) => allowed.includes(action));
      })
    );
  };
  return wanted.length > 0 && names.some(allows);
};

/** Roles as a row names them: trimmed, each once. Refuses none at all, and one that is not known. */
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

/** What the admin options say of who is an admin, and of what roles may do. */
interface AdminRules {
  readonly defaultRole: string;
  readonly adminUserIds: readonly string[];
  readonly roles: RoleDefinitions;
}

/** What roles or ids are asked about: a user, or a role by itself. */
export interface RoleHolder {
  id?: string | undefined;
  role?: string | null | undefined;
}

/** The roles of a user in the installation; one without any has the default role. */
export const rolesOf = (
  { defaultRole }: Pick<AdminRules, "defaultRole">,
  { role }: RoleHolder,
): string[] => splitRoles(role || defaultRole);

/** Whether the admin options let somebody do all that is asked for. */
export const hasPermissions = (
  rules: AdminRules,
  holder: RoleHolder,
  asked: Permissions,
): boolean =>
  (holder.id !== undefined && rules.adminUserIds.includes(holder.id)) ||
  anyRoleAllows(rules.roles, rolesOf(rules, holder), asked);
