import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { splitRoles } from "../../components/split-roles.ts";

/** The roles of an installation that configures none of its own. */
const usual = ["owner", "admin", "member"];

/** The roles that members may have, as far as this admin may know: those of the settings, and those that somebody has. */
export const useRoleNames = (present: readonly string[]): string[] => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(operations.gateway.adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) => options.find(({ name }) => name === "organization.roles")?.value,
  });
  const configured = typeof data === "object" && data !== null ? Object.keys(data) : usual;
  return [...new Set([...configured, ...present.flatMap(splitRoles)])];
};
