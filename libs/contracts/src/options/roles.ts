import { z } from "zod";

export const roleName = z.string().regex(/^[^,\s]{1,64}$/, "must be a word without commas");

/** The name of a role that an organization makes itself. Lists of roles are separated by commas, so that a name has none. */
export const organizationRoleName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    "must be 1 to 63 of a-z, 0-9, _ and -, without a leading _ or -",
  );

/** The permissions of each role: role names to resources to actions. */
export const roleDefinitions = z.record(
  roleName,
  z.record(z.string().min(1), z.array(z.string().min(1))),
);
