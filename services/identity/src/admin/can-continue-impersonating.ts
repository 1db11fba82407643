import { hasPermissions, isAdmin, mayActOn, type RoleHolder } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { isBanned } from "../users/user-rules.ts";

/**
 * Returns whether an impersonation is still allowed. It ends when the admin is deleted, banned or demoted, and when its
 * user gets a permission that the admin lacks.
 */
export const canContinueImpersonating = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { adminId, user }: { adminId: string; user: RoleHolder },
): Promise<boolean> => {
  const { admin } = deps.config;
  if (!admin.enabled || (isAdmin(admin, user) && !admin.allowImpersonatingAdmins)) return false;
  const found = await findUser(deps, { id: adminId });
  return (
    found !== undefined &&
    !isBanned(found, deps.clock()) &&
    hasPermissions(admin, found, { user: ["impersonate"] }) &&
    mayActOn(admin, found, user)
  );
};
