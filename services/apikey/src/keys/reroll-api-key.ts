import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { refuseBanned } from "./refuse-banned.ts";
import { rerollKey, type RerollKeyNeeds, showRetired } from "./reroll-key.ts";
import { sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";

type RerollApiKey = typeof operations.apikey.rerollApiKey;

/**
 * Replaces a key of the caller by a successor, whose text only this reply contains. Throws `USER_BANNED`, `KEY_RETIRED` for a key that is
 * replaced already, and `KEY_NOT_FOUND`.
 */
export const rerollApiKey = async (
  deps: RerollKeyNeeds,
  { body: { keyId: id, overlapSeconds }, caller, session }: Call<RerollApiKey>,
): Promise<Answer<OperationReply<RerollApiKey>>> => {
  const { user } = session;
  refuseBanned(user, deps.clock());
  const { successor, text, retired } = await rerollKey(deps, {
    id,
    overlapSeconds,
    userId: user.id,
    sessionCreatedAt: session.session.createdAt,
    actor: sessionActor(session),
    caller,
  });
  const key = shapeForSdk(sdkVersionOf(deps, caller), showOwnKey(successor));
  return { reply: { ...key, key: text, retiredKey: showRetired(retired) } };
};
