import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { chooseGivenOwner } from "../keys/choose-owner.ts";
import { issueKey, type IssueKeyNeeds } from "../keys/issue-key.ts";
import type { KeyOwner } from "../keys/key-owner.ts";
import { checkOwnerReach } from "./check-key-reach.ts";

const { permission } = operations.apikey.adminCreateApiKey;
type AdminCreateApiKey = typeof operations.apikey.adminCreateApiKey;

/** Replaces `INVALID_SESSION`, because the caller's session is valid even if the owner was deleted in the meantime. */
const orOwnerNotFound =
  (owner: KeyOwner) =>
  (error: unknown): never => {
    if (!(error instanceof WireError) || error.code !== "INVALID_SESSION") throw error;
    throw "userId" in owner
      ? new WireError("USER_NOT_FOUND", { status: 400 })
      : new WireError("ORGANIZATION_NOT_FOUND");
  };

/**
 * Creates a key for a user or an organization, with limits and permissions. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS` if the owner has
 * a permission that the caller lacks, because the key lets its holder act as the owner. Throws `USER_NOT_FOUND` or `ORGANIZATION_NOT_FOUND`
 * for a deleted owner, and otherwise the errors of a service that creates a key.
 */
export const adminCreateApiKey = async (
  deps: IssueKeyNeeds & Pick<Deps, "identity" | "organization">,
  call: Call<AdminCreateApiKey>,
): Promise<Answer<OperationReply<AdminCreateApiKey>>> => {
  const { body: given, caller, session } = call;
  if (given.userId === undefined && given.organizationId === undefined)
    throw new WireError("VALIDATION_ERROR", {
      message: "Invalid body parameters",
      issues: [{ path: "userId", message: "either `userId` or `organizationId`" }],
    });
  const owner = await chooseGivenOwner(deps, caller, given);
  await checkOwnerReach(deps, call, { owner, permission });
  const actor = sessionActor(session);
  const asked = { given, owner, actor, caller };
  return { reply: await issueKey(deps, asked).catch(orOwnerNotFound(owner)) };
};
