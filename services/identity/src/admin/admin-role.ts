import type { IdentityConfig } from "../config.ts";
import { readRoles } from "./read-roles.ts";

/** Returns the role of admins: the first configured one. Throws if none is configured, or if it is not a known role. */
export const adminRole = (options: IdentityConfig["admin"]): string =>
  readRoles(options, options.adminRoles[0] ?? "");
