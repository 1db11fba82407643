import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";

type AdminStopImpersonating = typeof operations.identity.adminStopImpersonating;

/** Returns the admin's parked session if it is live and that admin's own. */
const findParked = async (deps: ResolveSessionNeeds, caller: Caller, adminId: string) => {
  const { token, browserSession } = caller.parkedSession ?? {};
  const asked = { ...caller, sessionToken: token, browserSession };
  const found = await resolveSession(deps, asked, { disableRefresh: true });
  return found?.user.id === adminId && !found.session.impersonatedBy ? found : undefined;
};

/**
 * Ends an impersonation and gives the browser back to the admin. Only one of several concurrent calls does so. Without a
 * parked session of the admin, the impersonation continues.
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
  return {
    reply: { session: parked.session, user: parked.user },
    effect: { ...reissue(deps, parked), unparks: true },
  };
};
