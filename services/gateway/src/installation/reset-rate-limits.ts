import { type OperationReply, operations } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { resetLimits } from "../limits/create-limit.ts";

const { recordRateLimitReset } = operations.identity;
type AdminResetRateLimits = typeof operations.gateway.adminResetRateLimits;

/**
 * Resets the rate limits of an IP address. Identity records it first, so that no reset is missing in the audit log. Throws
 * `SERVICE_UNAVAILABLE` if identity or the store of the limits does not answer.
 */
export const resetRateLimits = async (
  { identity, limiter }: Pick<Deps, "identity" | "limiter">,
  { body: { ipAddress }, caller, session }: Call<AdminResetRateLimits>,
): Promise<OperationReply<AdminResetRateLimits>> => {
  const { requestId, address, apiKeyId } = caller;
  const { id: adminId = session.user.id } = sessionActor(session);
  const client = { address, ...(apiKeyId !== undefined && { apiKeyId }) };
  await identity.call(
    recordRateLimitReset,
    { body: { adminId, ipAddress, client } },
    { requestId },
  );
  return { resetCount: await resetLimits(limiter, ipAddress) };
};
