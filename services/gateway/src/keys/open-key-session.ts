import { operations, WireError } from "@latchkey/contracts";
import type { UnsignedCaller } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { boundedHolder } from "../pipeline/bounded-holder.ts";
import type { Inbound } from "../pipeline/read-inbound.ts";

/** The part of a caller that an API key determines. */
export interface KeySession {
  apiKeyId: string;
  /** Session and user, as JSON text. */
  resolved: string;
}

interface ShownKey {
  key: string;
  caller: Pick<UnsignedCaller, "address" | "requestId" | "userAgent">;
  inbound: Pick<Inbound, "path" | "request">;
}

/**
 * Uses an API key once and returns the session of its owner that it stands for. The session is not stored. Throws the refusal of the apikey
 * service, `INVALID_USER_ID_FROM_API_KEY` if the owner was deleted, and `USER_BANNED`, even if the apikey service has not processed the
 * ban yet.
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
  return { apiKeyId, resolved: boundedHolder({ session, user: owner.user }) };
};
