import type { operations } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkOwner } from "./check-owner.ts";
import { type CreatedKey, issueKey, type IssueKeyNeeds } from "./issue-key.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";

type CreateApiKey = typeof operations.apikey.createApiKey;
type CreateApiKeyFor = typeof operations.apikey.createApiKeyFor;

/**
 * Creates a key for the caller. Only this reply contains its text. Throws `INVALID_SESSION` if the body names another owner or the caller
 * is deleted, `SERVER_ONLY_PROPERTY` for limits and permissions, `USER_BANNED`, and the errors of `checkNewKey`.
 */
export const createApiKey = async (
  deps: IssueKeyNeeds,
  { body: given, caller, session }: Call<CreateApiKey>,
): Promise<Answer<CreatedKey>> => {
  const { user } = session;
  refuseOtherOwner(given, user.id);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(given);
  const actor = sessionActor(session);
  const { createdAt: sessionCreatedAt } = session.session;
  const asked = { given, userId: user.id, actor, caller, sessionCreatedAt };
  return { reply: shapeForSdk(sdkVersionOf(deps, caller), await issueKey(deps, asked)) };
};

/**
 * Creates a key for a user on behalf of a service, with limits and permissions. Throws the errors of `checkOwner` and `checkNewKey`, and
 * `INVALID_SESSION` if the user is deleted in the meantime.
 */
export const createApiKeyFor = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity">,
  { body: given, caller }: Call<CreateApiKeyFor>,
): Promise<Answer<CreatedKey>> => {
  const { id: userId } = await checkOwner(deps, caller, given.userId);
  const actor = serviceActor(caller);
  return { reply: await issueKey(deps, { given, userId, actor, caller }) };
};
