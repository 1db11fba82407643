import type { Caller, FullUser } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { showMember } from "../members/show-member.ts";
import { requestOrigin } from "../users/request-origin.ts";
import type { CreatedOrganization } from "./create-organization-by.ts";
import { showOrganization } from "./show-organization.ts";

/** Calls the application's function for a created organization. Rejects with its error. */
export const tellCreated = async (
  { config }: Pick<Deps, "config">,
  { organization, member }: CreatedOrganization,
  { user, caller }: { user: FullUser; caller: Caller },
): Promise<void> => {
  const { afterCreate } = config.organization.organizationCreation;
  const shown = {
    organization: showOrganization(organization),
    member: showMember(config, member),
  };
  await afterCreate?.({ ...shown, user }, requestOrigin(caller));
};
