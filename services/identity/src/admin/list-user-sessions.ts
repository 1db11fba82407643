import { type OperationReply, operations } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionHandle } from "../sessions/session-handle.ts";
import { findUser } from "../users/find-user.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach } from "./reach.ts";

const { permission } = operations.identity.adminListUserSessions;
type AdminListUserSessions = typeof operations.identity.adminListUserSessions;

/** A time before every expiry, so that expired sessions are listed, too. */
const ever = new Date(0);

/**
 * Lists the stored sessions of a user, with impersonations and expired ones. Each has a handle in place of its token, so
 * that no admin can sign in with it. The audit records the admin who read the list.
 */
export const listUserSessions = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring" | "sessions" | "showSession">,
  call: Call<AdminListUserSessions>,
): Promise<Answer<OperationReply<AdminListUserSessions>>> => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) return { reply: { sessions: [] } };
  checkReach(deps, call, { permission, target: user });
  const { defaultFindManyLimit } = deps.config.database;
  const stored = await deps.sessions.list(user.id, ever, defaultFindManyLimit);
  await appendAudit(deps.db, deps, {
    actor: adminActor(call),
    subject: { kind: "user", id: user.id },
    action: "session.listed",
    caller: call.caller,
  });
  const sessions = stored.map((session) => {
    const shown = deps.showSession(session, sessionHandle(deps.ring, session));
    const { impersonatedBy, impersonationReason } = session;
    return impersonatedBy === null ? shown : Object.assign(shown, { impersonationReason });
  });
  return { reply: { sessions } };
};
