import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  eraseOrganization,
  type EraseOrganizationNeeds,
} from "../organizations/erase-organization.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";

type AdminDeleteOrganization = typeof operations.organization.adminDeleteOrganization;

/**
 * Deletes an organization with all that is in it, also where its members may not; the functions for deletions by members are
 * not called. Of several at once one deletes. Throws `ORGANIZATION_NOT_FOUND`.
 */
export const adminDeleteOrganization = async (
  deps: EraseOrganizationNeeds & Pick<Deps, "db" | "identity" | "logger" | "wakeRelay">,
  { params, caller, session }: Call<AdminDeleteOrganization>,
): Promise<Answer<OperationReply<AdminDeleteOrganization>>> => {
  const actor = sessionActor(session);
  const erased = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, params.id);
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    await eraseOrganization(deps, trx, { organization, actor, caller });
    return organization;
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, {
    organizationId: erased.id,
    userIds: [session.user.id],
  });
  return { reply: showOrganization(erased), ...changed };
};
