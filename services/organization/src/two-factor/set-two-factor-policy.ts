import { type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockOrganization } from "../organizations/queries.ts";
import {
  checkMayManagePolicy,
  requireOrganization,
  showPolicy,
  type TwoFactorPolicy,
} from "./manage-policy.ts";
import { findSecondFactorFrom, updateSecondFactorFrom } from "./queries.ts";
import { hasPassedSecondFactor } from "./require-second-factor.ts";

type SetTwoFactorPolicy = typeof operations.organization.setTwoFactorPolicy;

const dayMilliseconds = 86_400_000;

/**
 * Requires a second factor of an organization's members, at once or after some days, or stops requiring it. The caller must have passed
 * one, so that nobody locks themselves out. Throws `NO_ACTIVE_ORGANIZATION` and the errors of `checkMayManagePolicy`.
 */
export const setTwoFactorPolicy = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  call: Call<SetTwoFactorPolicy>,
): Promise<Answer<TwoFactorPolicy>> => {
  const { body, caller, session } = call;
  const { required, graceDays = 0 } = body;
  const organizationId = requireOrganization(call, body.organizationId);
  if (!hasPassedSecondFactor(call)) throw new WireError("TWO_FACTOR_REQUIRED");
  const from = required ? new Date(deps.clock() + graceDays * dayMilliseconds) : null;
  await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    await checkMayManagePolicy({ ...deps, db: trx }, call, organizationId);
    const before = await findSecondFactorFrom(trx, organizationId);
    await updateSecondFactorFrom(trx, organizationId, from);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "organization.two-factor-policy-changed",
      caller,
      before: { requiredFrom: before },
      after: { requiredFrom: from },
    });
  });
  return { reply: showPolicy(organizationId, from) };
};
