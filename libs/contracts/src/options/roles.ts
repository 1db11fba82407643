import { z } from "zod";

export const roleName = z.string().regex(/^[^,\s]{1,64}$/, "must be a word without commas");

/** The permissions of each role: role names to resources to actions. */
export const roleDefinitions = z.record(
  roleName,
  z.record(z.string().min(1), z.array(z.string().min(1))),
);
