import { hasPermissions } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { isBanned } from "../users/user-rules.ts";

/** An impersonation lives no longer than what it was granted for: an admin who is still there, not banned and allowed to. */
export const mayGoOnImpersonating = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  adminId: string,
): Promise<boolean> => {
  const { admin } = deps.config;
  if (!admin.enabled) return false;
  const found = await findUser(deps, { id: adminId });
  return (
    found !== undefined &&
    !isBanned(found, deps.clock()) &&
    hasPermissions(admin, found, { user: ["impersonate"] })
  );
};
