import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, checkReach, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkOwner } from "../keys/check-owner.ts";
import { issueKey, type IssueKeyNeeds } from "../keys/issue-key.ts";

const { permission } = operations.apikey.adminCreateApiKey;
type AdminCreateApiKey = typeof operations.apikey.adminCreateApiKey;

/**
 * Replaces `INVALID_SESSION` with `USER_NOT_FOUND`, because the caller's session is valid even if the owner was deleted in the meantime.
 */
const orUserNotFound = (error: unknown): never => {
  throw error instanceof WireError && error.code === "INVALID_SESSION"
    ? new WireError("USER_NOT_FOUND", { status: 400 })
    : error;
};

/**
 * Creates a key for a user, with limits and permissions. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS` if the owner has a permission that
 * the caller lacks, because the key lets its holder act as the owner. Throws `USER_NOT_FOUND` for a deleted owner, and otherwise the errors
 * of a service that creates a key.
 */
export const adminCreateApiKey = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity">,
  call: Call<AdminCreateApiKey>,
): Promise<Answer<OperationReply<AdminCreateApiKey>>> => {
  const { body: given, caller, session } = call;
  const owner = await checkOwner(deps, caller, given.userId);
  await checkReach(deps, call, { permission, targetIds: [owner.id] });
  const actor = sessionActor(session);
  const asked = { given, userId: owner.id, actor, caller };
  return { reply: await issueKey(deps, asked).catch(orUserNotFound) };
};
