import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { checkMember } from "../organizations/check-member.ts";
import { confirmMember } from "../organizations/confirm-member.ts";
import { findManagedKey, type FindManagedKeyNeeds } from "./find-managed-key.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { rerollKey, type RerollKeyNeeds, showRetired } from "./reroll-key.ts";
import { shapeForSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";
import { withdrawReroll } from "./withdraw-key.ts";

type RerollApiKey = typeof operations.apikey.rerollApiKey;

/**
 * Replaces a key of the caller or of an organization by a successor, whose text only this reply contains. In an organization this requires
 * the permissions to create and to update keys. Throws `USER_BANNED`, `KEY_RETIRED` for a key that is replaced already, and the errors of
 * `findManagedKey`.
 */
export const rerollApiKey = async (
  deps: RerollKeyNeeds & FindManagedKeyNeeds,
  call: Call<RerollApiKey>,
): Promise<Answer<OperationReply<RerollApiKey>>> => {
  const { body, caller, session } = call;
  refuseBanned(session.user, deps.clock());
  const found = await findManagedKey(deps, call, { id: body.keyId, action: "update" });
  const { organizationId } = found;
  const author = { actor: sessionActor(session), caller };
  // A re-roll gives a new key, so that the permission to change keys does not suffice.
  if (organizationId !== null) await checkMember(deps, call, { organizationId, action: "create" });
  const { overlapSeconds } = body;
  const rerolled = await rerollKey(deps, { key: found, overlapSeconds, ...author, by: session });
  const { successor, text, retired } = rerolled;
  if (organizationId !== null)
    await confirmMember(deps, call, {
      asked: [
        { organizationId, action: "update", stranger: "KEY_NOT_FOUND" },
        { organizationId, action: "create" },
      ],
      undo: () => withdrawReroll(deps, rerolled, author),
    });
  const key = shapeForSdk(deps, caller, showOwnKey(successor));
  return { reply: { ...key, key: text, retiredKey: showRetired(retired) } };
};
