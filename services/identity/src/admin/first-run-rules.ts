import type { IdentityConfig } from "../config.ts";

/** The name of the token that makes the first admin. */
export const firstRunName = "first-run";

/** Whether there could be a first admin: one who has a role to get, and can sign in again. */
export const canHaveFirstAdmin = ({
  admin,
  emailAndPassword,
}: Pick<IdentityConfig, "admin" | "emailAndPassword">): boolean => {
  const [role] = admin.adminRoles;
  return (
    admin.enabled &&
    emailAndPassword.enabled &&
    role !== undefined &&
    (role === admin.defaultRole || Object.hasOwn(admin.roles, role))
  );
};
