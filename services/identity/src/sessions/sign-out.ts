import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteChallenge } from "../second-factor/challenge-queries.ts";
import type { FoundSession } from "./store/session-store.ts";

type SignOut = typeof operations.identity.signOut;

/**
 * Ends the session that the browser keeps aside, unless a user has signed in there since the impersonation. It could not be reached any
 * more. The impersonation may have expired already.
 */
const endParked = async (
  deps: Pick<Deps, "sessions">,
  caller: Caller,
  current: FoundSession | undefined,
) => {
  if (!caller.parkedSession) return;
  const parked = await deps.sessions.find(hashToken(caller.parkedSession.token));
  if (!parked || (current && !current.session.impersonatedBy)) return;
  await deps.sessions.revoke(parked.session, {
    actor: sessionActor(parked),
    subject: { kind: "session", id: parked.session.id },
    action: "session.signed-out",
    caller,
  });
};

/**
 * Ends the caller's session, or a sign-in that waits for its second factor, and clears the browser, even if nothing was left to end. With
 * `challengeOnly` it ends only the sign-in, because the caller may have sessions that must last.
 */
export const signOut = async (
  deps: Pick<Deps, "db" | "sessions">,
  { caller, query }: Call<SignOut>,
): Promise<Answer<OperationReply<SignOut>>> => {
  const waiting = caller.kept?.twoFactor;
  if (waiting !== undefined) await deleteChallenge(deps.db, hashToken(waiting));
  if (query.challengeOnly)
    return { reply: { success: true }, effect: { kind: "keep", keeps: { twoFactor: null } } };
  const holdsSession = caller.sessionToken !== undefined || caller.parkedSession !== undefined;
  if (waiting !== undefined && !holdsSession)
    return { reply: { success: true }, effect: { kind: "clear" } };
  if (!holdsSession) throw new WireError("FAILED_TO_GET_SESSION");
  const { sessionToken } = caller;
  const found =
    sessionToken === undefined ? undefined : await deps.sessions.find(hashToken(sessionToken));
  if (found)
    await deps.sessions.revoke(found.session, {
      actor: sessionActor(found),
      subject: { kind: "session", id: found.session.id },
      action: "session.signed-out",
      caller,
    });
  await endParked(deps, caller, found);
  return { reply: { success: true }, effect: { kind: "clear" } };
};
