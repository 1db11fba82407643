import type { IdentityConfig } from "../config.ts";

/** The name of the token that creates the first admin. */
export const firstRunName = "first-run";

/** Returns whether a first admin is possible: there is an admin role, and a password sign-in for later. */
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
