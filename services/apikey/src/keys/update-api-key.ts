import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import { changeKey, type ChangeKeyNeeds } from "./change-key.ts";
import { findManagedKey, type FindManagedKeyNeeds } from "./find-managed-key.ts";
import { isOwnedBy } from "./key-owner.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { findKey } from "./queries.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { shapeForSdk } from "./shape-for-sdk.ts";
import { showKey, showOwnKey } from "./show-key.ts";

type UpdateApiKey = typeof operations.apikey.updateApiKey;
type UpdateApiKeyFor = typeof operations.apikey.updateApiKeyFor;

/**
 * Changes the named fields of a key of the caller or of an organization, without counting a use. Throws `INVALID_SESSION` if the body names
 * another user, `USER_BANNED`, `SERVER_ONLY_PROPERTY` for limits and permissions, and the errors of `findManagedKey` and `changeKey`.
 */
export const updateApiKey = async (
  deps: ChangeKeyNeeds & FindManagedKeyNeeds,
  call: Call<UpdateApiKey>,
): Promise<Answer<OperationReply<UpdateApiKey>>> => {
  const { body, caller, session } = call;
  const { keyId, userId: named, ...change } = body;
  refuseOtherOwner({ userId: named }, session.user.id);
  refuseBanned(session.user, deps.clock());
  refuseServicesMembers(change);
  const { id } = await findManagedKey(deps, call, { id: keyId, action: "update" });
  const actor = sessionActor(session);
  const key = showOwnKey(await changeKey(deps, { id, change, isOwn: true, actor, caller }));
  return { reply: shapeForSdk(deps, caller, key) };
};

/**
 * Changes a key of a user or an organization on behalf of a service, including limits and permissions. Throws `INVALID_SESSION` if the body
 * names neither, `KEY_NOT_FOUND` if it is not the key of the named one, and the errors of `changeKey`.
 */
export const updateApiKeyFor = async (
  deps: ChangeKeyNeeds,
  { body, caller }: Call<UpdateApiKeyFor>,
): Promise<Answer<OperationReply<UpdateApiKeyFor>>> => {
  const { keyId: id, userId, organizationId, ...change } = body;
  if (!userId && organizationId === undefined) throw new WireError("INVALID_SESSION");
  const owner = userId ? { userId } : { organizationId: organizationId ?? "" };
  const row = await findKey(deps.db, id);
  if (!row || !isOwnedBy(row, owner)) throw new WireError("KEY_NOT_FOUND");
  const asked = { id, change, isOwn: false, actor: serviceActor(caller), caller };
  return { reply: showKey(await changeKey(deps, asked)) };
};
