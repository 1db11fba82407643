import type { operations } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { CheckMemberNeeds } from "../organizations/check-member.ts";
import { confirmMember } from "../organizations/confirm-member.ts";
import { chooseGivenOwner, chooseOwnOwner } from "./choose-owner.ts";
import { type CreatedKey, issueKey, type IssueKeyNeeds } from "./issue-key.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { shapeForSdk } from "./shape-for-sdk.ts";
import { withdrawKey } from "./withdraw-key.ts";

type CreateApiKey = typeof operations.apikey.createApiKey;
type CreateApiKeyFor = typeof operations.apikey.createApiKeyFor;

/**
 * Creates a key for the caller, or for an organization in which the caller's role permits it. Only this reply contains its text. Throws
 * `INVALID_SESSION` if the body names another user or the caller is deleted, `SERVER_ONLY_PROPERTY` for limits and permissions,
 * `USER_BANNED`, and the errors of `chooseOwnOwner` and `checkNewKey`.
 */
export const createApiKey = async (
  deps: IssueKeyNeeds & CheckMemberNeeds,
  { body: given, caller, session }: Call<CreateApiKey>,
): Promise<Answer<CreatedKey>> => {
  const { user } = session;
  refuseOtherOwner(given, user.id);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(given);
  const owner = await chooseOwnOwner(deps, { caller, session }, given);
  const actor = sessionActor(session);
  const created = await issueKey(deps, { given, owner, actor, caller, by: session });
  if ("organizationId" in owner)
    await confirmMember(
      deps,
      { caller, session },
      {
        asked: [{ ...owner, action: "create" }],
        undo: () => withdrawKey(deps, created.id, { actor, caller }),
      },
    );
  return { reply: shapeForSdk(deps, caller, created) };
};

/**
 * Creates a key for a user or an organization on behalf of a service, with limits and permissions. Throws the errors of `chooseGivenOwner`
 * and `checkNewKey`, and `INVALID_SESSION` if the owner is deleted in the meantime.
 */
export const createApiKeyFor = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity" | "organization">,
  { body: given, caller }: Call<CreateApiKeyFor>,
): Promise<Answer<CreatedKey>> => {
  const owner = await chooseGivenOwner(deps, caller, given);
  return { reply: await issueKey(deps, { given, owner, actor: serviceActor(caller), caller }) };
};
