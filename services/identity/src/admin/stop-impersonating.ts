import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";

type AdminStopImpersonating = typeof operations.identity.adminStopImpersonating;

/** The session that an admin keeps aside, while it lives and is that admin's own. */
const findParked = async (deps: ResolveSessionNeeds, caller: Caller, adminId: string) => {
  const asked = { ...caller, sessionToken: caller.parkedSession?.token };
  const found = await resolveSession(deps, asked, { disableRefresh: true });
  return found?.user.id === adminId && !found.session.impersonatedBy ? found : undefined;
};

/**
 * Ends an impersonation and gives the browser back to the admin. Of many at once one does; where the admin has no session
 * to go back to, it goes on.
 */
export const stopImpersonating = async (
  deps: ResolveSessionNeeds,
  { caller, session: current }: Call<AdminStopImpersonating>,
): Promise<Answer<OperationReply<AdminStopImpersonating>>> => {
  const { session, user } = current;
  const { impersonatedBy: adminId } = session;
  if (!adminId) throw new WireError("YOU_ARE_NOT_IMPERSONATING_ANYONE");
  const parked = await findParked(deps, caller, adminId);
  if (!parked) throw new WireError("FAILED_TO_FIND_ADMIN_SESSION");
  const impersonation = { tokenHash: hashToken(session.token), userId: user.id };
  const isEnded = await deps.sessions.revoke(impersonation, {
    actor: sessionActor(current),
    subject: { kind: "session", id: session.id },
    action: "session.impersonation-ended",
    caller,
  });
  if (!isEnded) throw new WireError("YOU_ARE_NOT_IMPERSONATING_ANYONE");
  const { browserSession } = caller.parkedSession ?? {};
  return {
    reply: { session: parked.session, user: parked.user },
    effect: { ...reissue(deps, parked, { ...caller, browserSession }), unparks: true },
  };
};
