import { z } from "zod";
import { organizationRolePattern } from "../role-name.ts";

export const roleName = z.string().regex(/^[^,\s]{1,64}$/, "must be a word without commas");

export const organizationRoleName = z
  .string()
  .regex(organizationRolePattern, "must be 1 to 63 of a-z, 0-9, _ and -, without a leading _ or -");

/** The permissions of each role: role names to resources to actions. */
export const roleDefinitions = z.record(
  roleName,
  z.record(z.string().min(1), z.array(z.string().min(1))),
);
