import { type KeySecondFactor, operations, WireError } from "@latchkey/contracts";
import type { UnsignedCaller } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { boundedHolder } from "../forward/resolve-holder.ts";
import type { Inbound } from "../http/read-inbound.ts";

/** The part of a caller that an API key determines. */
export interface KeySession {
  apiKeyId: string;
  apiKeyHasSecondFactor: boolean;
  /** Session and user, as JSON text. */
  resolved: string;
}

interface ShownKey {
  key: string;
  caller: Pick<UnsignedCaller, "address" | "requestId" | "userAgent">;
  inbound: Pick<Inbound, "path" | "request">;
}

/** A code of a second factor that is off now does not count, as for sessions. */
const countsAsSecondFactor = (factor: KeySecondFactor, twoFactorEnabled: boolean): boolean =>
  factor === "lasting" || (factor === "code" && twoFactorEnabled);

/**
 * Returns whether a key would get round a second factor: the one that the installation requires of the owner, or the owner's own. A key
 * that no session created gets round the owner's own, because the application decides about that one.
 */
const isBelowRequirement = (
  factor: KeySecondFactor,
  {
    needsSecondFactor = false,
    twoFactorEnabled,
  }: { needsSecondFactor?: boolean | undefined; twoFactorEnabled: boolean },
): boolean => {
  if (factor === "exempt" || countsAsSecondFactor(factor, twoFactorEnabled)) return false;
  return needsSecondFactor || (twoFactorEnabled && factor === "none");
};

/**
 * Uses an API key once and returns the session of its owner that it stands for. The session is not stored. Throws the refusal of the apikey
 * service, `INVALID_USER_ID_FROM_API_KEY` if the owner was deleted, and `USER_BANNED`, even if the apikey service has not processed the
 * ban yet. Throws `TWO_FACTOR_REQUIRED` for a key that would get round a second factor.
 */
export const openKeySession = async (
  { apikey, identity, clock, config }: Pick<Deps, "apikey" | "clock" | "config" | "identity">,
  { key, caller, inbound: { request, path = "" } }: ShownKey,
): Promise<KeySession> => {
  const { requestId, userAgent, address: ipAddress } = caller;
  const body = { key, method: request.method, path };
  const opened = await apikey.call(operations.apikey.openKeySession, { body }, { requestId });
  const { id: apiKeyId, userId } = opened;
  const owner = await identity.call(
    operations.identity.findKeyOwner,
    { body: { userId } },
    { requestId },
  );
  if (!owner) throw new WireError("INVALID_USER_ID_FROM_API_KEY");
  if (owner.isBanned) throw new WireError("USER_BANNED");
  const { secondFactor = null } = opened;
  const { twoFactorEnabled = false } = owner.user;
  if (isBelowRequirement(secondFactor, { ...owner, twoFactorEnabled }))
    throw new WireError("TWO_FACTOR_REQUIRED");
  const now = clock();
  const createdAt = new Date(now).toISOString();
  const expiresAt =
    opened.expiresAt ?? new Date(now + config.session.expiresIn * 1000).toISOString();
  const session = {
    id: apiKeyId,
    token: key,
    userId,
    expiresAt,
    createdAt,
    updatedAt: createdAt,
    ipAddress,
    userAgent,
  };
  const apiKeyHasSecondFactor = countsAsSecondFactor(secondFactor, twoFactorEnabled);
  return {
    apiKeyId,
    apiKeyHasSecondFactor,
    resolved: boundedHolder(JSON.stringify({ session, user: owner.user })),
  };
};
