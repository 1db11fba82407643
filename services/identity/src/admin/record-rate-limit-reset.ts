import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type RecordRateLimitReset = typeof operations.identity.recordRateLimitReset;

/** Writes the audit entry of a reset by the gateway, which has no audit log of its own. */
export const recordRateLimitReset = async (
  deps: Pick<Deps, "clock" | "db">,
  { body: { adminId, ipAddress, client }, caller }: Call<RecordRateLimitReset>,
): Promise<Answer<OperationReply<RecordRateLimitReset>>> => {
  await appendAudit(deps.db, deps, {
    actor: { kind: "user", id: adminId },
    subject: { kind: "ip-address", id: ipAddress },
    action: "rate-limit.reset",
    caller: { ...caller, ...client },
  });
  return { reply: { status: true } };
};
