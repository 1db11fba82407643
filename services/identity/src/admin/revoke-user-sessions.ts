import { type OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { findUser } from "../users/find-user.ts";
import { lockUser } from "../users/queries.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach } from "./reach.ts";

const { permission } = operations.identity.adminRevokeUserSessions;
type AdminRevokeUserSessions = typeof operations.identity.adminRevokeUserSessions;

/** Ends every session and pending sign-in by mail of a user, who may be the caller. Succeeds for an unknown user. */
export const revokeUserSessions = async (
  deps: Pick<Deps, "config" | "db" | "ring" | "sessions">,
  call: Call<AdminRevokeUserSessions>,
): Promise<Answer<OperationReply<AdminRevokeUserSessions>>> => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) return { reply: { success: true } };
  checkReach(deps, call, { permission, target: user });
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id);
    await endChallengesAndTrust(trx, user.id);
    await endPendingSignIns(trx, deps, { userId: user.id });
  });
  await deps.sessions.revokeAll(user.id, undefined, {
    actor: adminActor(call),
    subject: { kind: "user", id: user.id },
    action: "session.revoked-all",
    caller: call.caller,
  });
  return { reply: { success: true } };
};
