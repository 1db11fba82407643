import type { Caller, FullUser, NewOrganization } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requestOrigin } from "../users/request-origin.ts";
import type { OrganizationRow } from "./queries.ts";

/** The requested organization, the caller and the future owner. */
export interface ProposedOrganization {
  given: Omit<NewOrganization, "createdAt">;
  user: FullUser;
  caller: Caller;
}

/** Returns the row to write, as changed by the application's function. */
export const proposeOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "newId">,
  { given, user, caller }: ProposedOrganization,
): Promise<OrganizationRow> => {
  const { name, slug, logo, metadata } = given;
  const organization: NewOrganization = {
    name,
    slug,
    logo,
    metadata,
    createdAt: new Date(deps.clock()),
  };
  const { beforeCreate } = deps.config.organization.organizationCreation;
  const answered = await beforeCreate?.({ organization, user }, requestOrigin(caller));
  const chosen = { ...organization };
  for (const [member, value] of Object.entries(answered?.data ?? {}))
    if (value !== undefined) Object.assign(chosen, { [member]: value });
  return {
    id: await deps.newId("organization"),
    name: chosen.name,
    slug: chosen.slug,
    logo: chosen.logo ?? null,
    metadata: chosen.metadata ? JSON.stringify(chosen.metadata) : null,
    createdAt: organization.createdAt,
  };
};
