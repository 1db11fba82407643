import type { operations } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkOwner } from "./check-owner.ts";
import { type CreatedKey, issueKey, type IssueKeyNeeds } from "./issue-key.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { refuseBanned } from "./refuse-banned.ts";

type CreateApiKey = typeof operations.apikey.createApiKey;
type CreateApiKeyFor = typeof operations.apikey.createApiKeyFor;

/**
 * Creates a key of the caller's, whose text this answer alone shows. Throws `INVALID_SESSION` where another owner is named or
 * the caller has ceased to exist, `SERVER_ONLY_PROPERTY` for limits and permissions, `USER_BANNED`, and what `checkNewKey`
 * finds wrong.
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
  return { reply: await issueKey(deps, { given, userId: user.id, actor, caller }) };
};

/**
 * Creates a key for a user in the name of a service, with limits and permissions. Throws what `checkOwner` and `checkNewKey`
 * find wrong, and `INVALID_SESSION` where the user ceases to exist meanwhile.
 */
export const createApiKeyFor = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity">,
  { body: given, caller }: Call<CreateApiKeyFor>,
): Promise<Answer<CreatedKey>> => {
  const { id: userId } = await checkOwner(deps, caller, given.userId);
  const actor = serviceActor(caller);
  return { reply: await issueKey(deps, { given, userId, actor, caller }) };
};
