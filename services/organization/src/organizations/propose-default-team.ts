import type { Caller } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requestOrigin } from "../users/request-origin.ts";
import type { OrganizationRow } from "./queries.ts";
import { showOrganization } from "./show-organization.ts";

/** Returns the first team of a new organization, named by the application or after the organization. Returns undefined for none. */
export const proposeDefaultTeam = async (
  { config, newId }: Pick<Deps, "config" | "newId">,
  organization: OrganizationRow,
  caller: Caller,
) => {
  const { enabled, defaultTeam } = config.organization.teams;
  if (!enabled || !defaultTeam.enabled) return undefined;
  const custom = await defaultTeam.customCreateDefaultTeam?.(
    showOrganization(organization),
    requestOrigin(caller),
  );
  return {
    id: await newId("team"),
    name: custom ? custom.name : organization.name,
    organizationId: organization.id,
    createdAt: organization.createdAt,
  };
};
