import type { Caller, FullUser, NewOrganization } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requestOrigin } from "../users/request-origin.ts";
import type { OrganizationRow } from "./queries.ts";

/** What is asked for, by whom and for whom. */
export interface ProposedOrganization {
  given: Omit<NewOrganization, "createdAt">;
  user: FullUser;
  caller: Caller;
}

/** The row to write, as the application's function lets it through. */
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
