import { WireError } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/** Roles as a user's row holds them: trimmed, each once. Refuses none at all, and one that is not configured. */
export const readRoles = (
  { roles, defaultRole }: Pick<IdentityConfig["admin"], "roles" | "defaultRole">,
  given: string | readonly string[],
): string => {
  const names = [given].flat().flatMap((text) => text.split(",").map((name) => name.trim()));
  const isKnown = (name: string) => name === defaultRole || Object.hasOwn(roles, name);
  if (names.length === 0 || !names.every(isKnown))
    throw new WireError("VALIDATION_ERROR", {
      issues: [{ path: "role", message: "must be one or more of the configured roles" }],
    });
  return [...new Set(names)].join(",");
};
