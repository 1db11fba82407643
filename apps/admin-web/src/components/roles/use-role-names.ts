import { useOption } from "../use-option.ts";
import { splitRoles } from "./split-roles.ts";

/** The roles of an installation that configures none, by the option that would configure them. */
const usual = {
  "admin.roles": ["admin", "user"],
  "organization.roles": ["owner", "admin", "member"],
} as const;

/**
 * Returns the roles that users (`admin.roles`) or members (`organization.roles`) may have, as far as this admin may read them: the
 * configured ones and those in use.
 */
export const useRoleNames = (
  option: keyof typeof usual,
  present: readonly string[] = [],
): string[] => {
  const data = useOption(option);
  const configured = typeof data === "object" && data !== null ? Object.keys(data) : usual[option];
  return [...new Set([...configured, ...present.flatMap(splitRoles)])];
};
