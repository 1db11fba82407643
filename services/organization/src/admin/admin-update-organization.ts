import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  changeOrganization,
  orAlreadyExists,
  readChange,
} from "../organizations/change-organization.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import { checkOrganizationReach, type OrganizationReachNeeds } from "./check-organization-reach.ts";

const { permission } = operations.organization.adminUpdateOrganization;
type AdminUpdateOrganization = typeof operations.organization.adminUpdateOrganization;

/**
 * Changes the named fields of an organization. Throws `ORGANIZATION_NOT_FOUND`, and `ORGANIZATION_ALREADY_EXISTS` if another organization
 * has the slug.
 */
export const adminUpdateOrganization = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminUpdateOrganization>,
): Promise<Answer<OperationReply<AdminUpdateOrganization>>> => {
  const { params, body, caller, session } = call;
  const { id } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId: id });
  const changed = await deps.db
    .transaction()
    .execute(async (trx) => {
      const row = await lockOrganization(trx, id);
      if (!row) throw new WireError("ORGANIZATION_NOT_FOUND");
      await recheck(trx);
      const change = readChange(body);
      return changeOrganization(deps, trx, { row, change, actor: sessionActor(session), caller });
    })
    .catch(orAlreadyExists);
  return { reply: showOrganization(changed) };
};
