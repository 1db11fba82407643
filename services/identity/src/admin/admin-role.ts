import type { IdentityConfig } from "../config.ts";
import { readRoles } from "./read-roles.ts";

/** The role that makes an admin: the first that is named. Refuses when none is, or when it is no configured role. */
export const adminRole = (options: IdentityConfig["admin"]): string =>
  readRoles(options, options.adminRoles[0] ?? "");
