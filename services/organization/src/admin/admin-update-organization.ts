import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  changeOrganization,
  orAlreadyExists,
  readChange,
} from "../organizations/change-organization.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { showOrganization } from "../organizations/show-organization.ts";

type AdminUpdateOrganization = typeof operations.organization.adminUpdateOrganization;

/**
 * Changes an organization; what is not named stays as it is. Throws `ORGANIZATION_NOT_FOUND`, and
 * `ORGANIZATION_ALREADY_EXISTS` for the slug of another.
 */
export const adminUpdateOrganization = async (
  deps: Pick<Deps, "clock" | "db">,
  { params: { id }, body, caller, session }: Call<AdminUpdateOrganization>,
): Promise<Answer<OperationReply<AdminUpdateOrganization>>> => {
  const changed = await deps.db
    .transaction()
    .execute(async (trx) => {
      const row = await lockOrganization(trx, id);
      if (!row) throw new WireError("ORGANIZATION_NOT_FOUND");
      const change = readChange(body);
      return changeOrganization(deps, trx, { row, change, actor: sessionActor(session), caller });
    })
    .catch(orAlreadyExists);
  return { reply: showOrganization(changed) };
};
