import { hasPermissions, type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { rerollKey, type RerollKeyNeeds, showRetired } from "../keys/reroll-key.ts";
import { showKey } from "../keys/show-key.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";

const { permission } = operations.apikey.adminRerollApiKey;
type AdminRerollApiKey = typeof operations.apikey.adminRerollApiKey;

/**
 * Replaces a key of any owner whom the caller may act on by a successor, whose text only this reply contains. It creates a key and ends
 * another, so it requires both permissions. Throws `KEY_NOT_FOUND`, `KEY_RETIRED`, `USER_BANNED`, and the errors of the permissions.
 */
export const adminRerollApiKey = async (
  deps: CheckKeyReachNeeds & RerollKeyNeeds,
  call: Call<AdminRerollApiKey>,
): Promise<Answer<OperationReply<AdminRerollApiKey>>> => {
  const { body, caller, session } = call;
  if (!hasPermissions(deps.config.admin, session.user, { apiKey: ["update"] }))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS");
  const key = await checkKeyReach(deps, call, permission);
  const asked = { key, ...body, actor: sessionActor(session), caller };
  const { successor, text, retired } = await rerollKey(deps, asked);
  return { reply: { ...showKey(successor), key: text, retiredKey: showRetired(retired) } };
};
