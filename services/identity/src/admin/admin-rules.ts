import { type RoleHolder, rolesOf } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/** An admin is never impersonated, and the last one stays. */
export const isAdmin = (options: IdentityConfig["admin"], holder: RoleHolder): boolean =>
  (holder.id !== undefined && options.adminUserIds.includes(holder.id)) ||
  rolesOf(options, holder).some((role) => options.adminRoles.includes(role));
