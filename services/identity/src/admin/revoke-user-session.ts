import { type OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { namedTokenHash } from "../sessions/session-handle.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach } from "./reach.ts";

const { permission } = operations.identity.adminRevokeUserSession;
type AdminRevokeUserSession = typeof operations.identity.adminRevokeUserSession;

/** Ends a session of any user, identified by its token or its handle. Succeeds if there is no such live session. */
export const revokeUserSession = async (
  deps: Pick<Deps, "config" | "ring" | "sessions">,
  call: Call<AdminRevokeUserSession>,
): Promise<Answer<OperationReply<AdminRevokeUserSession>>> => {
  const found = await deps.sessions.find(namedTokenHash(deps.ring, call.body.sessionToken));
  if (!found) return { reply: { success: true } };
  checkReach(deps, call, { permission, target: found.user });
  await deps.sessions.revoke(found.session, {
    actor: adminActor(call),
    subject: { kind: "session", id: found.session.id },
    action: "session.revoked",
    caller: call.caller,
  });
  return { reply: { success: true } };
};
