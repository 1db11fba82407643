import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import { changeKey, type ChangeKeyNeeds } from "./change-key.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";
import { showKey, showOwnKey } from "./show-key.ts";

type UpdateApiKey = typeof operations.apikey.updateApiKey;
type UpdateApiKeyFor = typeof operations.apikey.updateApiKeyFor;

/**
 * Changes the named fields of a key of the caller, without counting a use. Throws `INVALID_SESSION` if the body names another owner,
 * `USER_BANNED`, `SERVER_ONLY_PROPERTY` for limits and permissions, `KEY_NOT_FOUND`, the errors of `checkKeyChange`, and
 * `NO_VALUES_TO_UPDATE`.
 */
export const updateApiKey = async (
  deps: ChangeKeyNeeds,
  { body, caller, session }: Call<UpdateApiKey>,
): Promise<Answer<OperationReply<UpdateApiKey>>> => {
  const { user } = session;
  const { keyId: id, userId: named, ...change } = body;
  refuseOtherOwner({ userId: named }, user.id);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(change);
  const actor = sessionActor(session);
  const asked = { id, change, userId: user.id, isOwn: true, actor, caller };
  const key = showOwnKey(await changeKey(deps, asked));
  return { reply: shapeForSdk(sdkVersionOf(deps, caller), key) };
};

/**
 * Changes a key of a user on behalf of a service, including limits and permissions. Throws `INVALID_SESSION` if the body names no user,
 * `KEY_NOT_FOUND` if it is not that user's key, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const updateApiKeyFor = async (
  deps: ChangeKeyNeeds,
  { body, caller }: Call<UpdateApiKeyFor>,
): Promise<Answer<OperationReply<UpdateApiKeyFor>>> => {
  const { keyId: id, userId, ...change } = body;
  if (!userId) throw new WireError("INVALID_SESSION");
  const asked = { id, change, userId, isOwn: false, actor: serviceActor(caller), caller };
  return { reply: showKey(await changeKey(deps, asked)) };
};
