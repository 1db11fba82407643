import { readRoleNames } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/** Returns roles in stored form: trimmed, each once. Rejects an empty list and unknown roles. */
export const readRoles = (
  { roles, defaultRole }: Pick<IdentityConfig["admin"], "roles" | "defaultRole">,
  given: string | readonly string[],
): string => readRoleNames(given, (name) => name === defaultRole || Object.hasOwn(roles, name));

/** Returns the role of admins: the first configured one. Throws if none is configured, or if it is not a known role. */
export const adminRole = (options: IdentityConfig["admin"]): string =>
  readRoles(options, options.adminRoles[0] ?? "");
