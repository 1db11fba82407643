import { isAdmin, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkOwner } from "../keys/check-owner.ts";
import { issueKey, type IssueKeyNeeds } from "../keys/issue-key.ts";

type AdminCreateApiKey = typeof operations.apikey.adminCreateApiKey;

/** Who asks has a good session, whatever has become of the owner meanwhile. */
const orUserNotFound = (error: unknown): never => {
  throw error instanceof WireError && error.code === "INVALID_SESSION"
    ? new WireError("USER_NOT_FOUND", { status: 400 })
    : error;
};

/**
 * Creates a key for a user, with limits and permissions. Whoever may do so but is no admin creates none of an admin, as whom the
 * key would let them act. Throws that as `YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS`, an owner who has ceased to exist as
 * `USER_NOT_FOUND`, and otherwise what a service is refused with that creates one.
 */
export const adminCreateApiKey = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity">,
  { body: given, caller, session }: Call<AdminCreateApiKey>,
): Promise<Answer<OperationReply<AdminCreateApiKey>>> => {
  const { admin } = deps.config;
  const owner = await checkOwner(deps, caller, given.userId);
  if (isAdmin(admin, owner) && !isAdmin(admin, session.user))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS");
  const actor = sessionActor(session);
  const asked = { given, userId: owner.id, actor, caller };
  return { reply: await issueKey(deps, asked).catch(orUserNotFound) };
};
