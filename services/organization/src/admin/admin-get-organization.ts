import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { readFullOrganization } from "../organizations/read-full-organization.ts";
import { withUsers } from "../users/with-users.ts";

type AdminGetOrganization = typeof operations.organization.adminGetOrganization;

/** Shows an organization to an admin, with all that is in it. Throws `ORGANIZATION_NOT_FOUND`. */
export const adminGetOrganization = async (
  deps: Pick<Deps, "config" | "db" | "identity">,
  { params, caller }: Call<AdminGetOrganization>,
): Promise<Answer<OperationReply<AdminGetOrganization>>> => {
  const found = await readFullOrganization(deps, { id: params.id });
  if (!found) throw new WireError("ORGANIZATION_NOT_FOUND");
  return { reply: { ...found, members: await withUsers(deps, caller, found.members) } };
};
