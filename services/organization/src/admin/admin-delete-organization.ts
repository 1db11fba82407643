import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  announceDeletion,
  eraseOrganization,
  type EraseOrganizationNeeds,
} from "../organizations/erase-organization.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import { checkOrganizationReach, type OrganizationReachNeeds } from "./check-organization-reach.ts";

const { permission } = operations.organization.adminDeleteOrganization;
type AdminDeleteOrganization = typeof operations.organization.adminDeleteOrganization;

/**
 * Deletes an organization with all its contents, even if its members may not delete it. Does not call the application's hooks for deletions
 * by members. Of several concurrent calls, one deletes. Throws `ORGANIZATION_NOT_FOUND`.
 */
export const adminDeleteOrganization = async (
  deps: EraseOrganizationNeeds &
    OrganizationReachNeeds &
    Pick<Deps, "logger" | "urgentEvents" | "wakeRelay">,
  call: Call<AdminDeleteOrganization>,
): Promise<Answer<OperationReply<AdminDeleteOrganization>>> => {
  const { params, caller, session } = call;
  const act = { permission, organizationId: params.id };
  const recheck = await checkOrganizationReach(deps, call, act);
  const actor = sessionActor(session);
  const { organization: erased, ...done } = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, params.id);
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    await recheck(trx);
    const gone = await eraseOrganization(deps, trx, { organization, actor, caller });
    if (!gone) throw new WireError("ORGANIZATION_NOT_FOUND");
    return { organization, ...gone };
  });
  deps.wakeRelay();
  announceDeletion(deps, caller, done);
  const changed = await forgetOrganization(deps, caller, {
    organizationId: erased.id,
    userIds: done.userIds,
  });
  return { reply: showOrganization(erased), ...changed };
};
