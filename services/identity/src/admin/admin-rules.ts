import type { RequiredPermission } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

type AdminOptions = IdentityConfig["admin"];

/** What roles or ids are asked about: a user, or a role by itself. */
export interface RoleHolder {
  id?: string | undefined;
  role?: string | null | undefined;
}

/** The roles of a user; one without any has the default role. */
export const rolesOf = (
  options: Pick<AdminOptions, "defaultRole">,
  { role }: RoleHolder,
): string[] => (role || options.defaultRole).split(",");

/**
 * Whether any one of the holder's roles allows every action that is asked for. Unknown roles allow nothing, nor does a
 * role that says nothing of a resource, and nobody is told yes who asked for nothing.
 */
export const hasPermissions = (
  options: AdminOptions,
  holder: RoleHolder,
  asked: Readonly<Record<string, readonly string[]>>,
): boolean => {
  if (holder.id !== undefined && options.adminUserIds.includes(holder.id)) return true;
  const wanted = Object.entries(asked);
  const allows = (name: string) => {
    const role = Object.hasOwn(options.roles, name) ? options.roles[name] : undefined;
    return (
      role !== undefined &&
      wanted.every(([resource, actions]) => {
        const allowed = Object.hasOwn(role, resource) ? role[resource] : undefined;
        return allowed !== undefined && actions.every((action) => allowed.includes(action));
      })
    );
  };
  return wanted.length > 0 && rolesOf(options, holder).some(allows);
};

/** Whether a user may do what an operation asks for. */
export const isAllowed = (
  options: AdminOptions,
  user: RoleHolder,
  { resource, action }: RequiredPermission,
): boolean => hasPermissions(options, user, { [resource]: [action] });

/** An admin is never impersonated, and the last one stays. */
export const isAdmin = (options: AdminOptions, holder: RoleHolder): boolean =>
  (holder.id !== undefined && options.adminUserIds.includes(holder.id)) ||
  rolesOf(options, holder).some((role) => options.adminRoles.includes(role));
