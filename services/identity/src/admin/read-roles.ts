import { readRoleNames } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/** Roles as a user's row holds them: trimmed, each once. Refuses none at all, and one that is not configured. */
export const readRoles = (
  { roles, defaultRole }: Pick<IdentityConfig["admin"], "roles" | "defaultRole">,
  given: string | readonly string[],
): string => readRoleNames(given, (name) => name === defaultRole || Object.hasOwn(roles, name));
