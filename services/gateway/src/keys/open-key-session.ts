import { type Caller, operations, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { boundedHolder, type Holder } from "../pipeline/bounded-holder.ts";
import type { Inbound } from "../pipeline/read-inbound.ts";

/** What a caller is vouched for who came by an API key. */
export interface KeySession {
  apiKeyId: string;
  resolved: Holder;
}

interface ShownKey {
  key: string;
  caller: Caller;
  inbound: Pick<Inbound, "path" | "request">;
}

/**
 * Uses an API key once, and gives the session of its owner that it stands for, which is kept nowhere. Throws what the apikey service
 * refuses the key with, `INVALID_USER_ID_FROM_API_KEY` where the owner is gone, and `USER_BANNED`, also where that service has
 * not heard of the ban yet.
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
