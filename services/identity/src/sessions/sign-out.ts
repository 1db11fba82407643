import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteChallenge } from "../second-factor/challenge-queries.ts";

type SignOut = typeof operations.identity.signOut;

/** Ends the admin's own parked session, which could not be reached any more. */
const endParked = async (deps: Pick<Deps, "sessions">, caller: Caller, adminId: string) => {
  if (!caller.parkedSession) return;
  const parked = await deps.sessions.find(hashToken(caller.parkedSession.token));
  if (parked?.user.id !== adminId) return;
  await deps.sessions.revoke(parked.session, {
    actor: sessionActor(parked),
    subject: { kind: "session", id: parked.session.id },
    action: "session.signed-out",
    caller,
  });
};

/** Ends the caller's session, or a sign-in that waits for its second factor, and clears the browser, even if nothing was left to end. */
export const signOut = async (
  deps: Pick<Deps, "db" | "sessions">,
  { caller }: Call<SignOut>,
): Promise<Answer<OperationReply<SignOut>>> => {
  const waiting = caller.kept?.twoFactor;
  if (waiting !== undefined) await deleteChallenge(deps.db, hashToken(waiting));
  if (waiting !== undefined && caller.sessionToken === undefined)
    return { reply: { success: true }, effect: { kind: "clear" } };
  if (caller.sessionToken === undefined) throw new WireError("FAILED_TO_GET_SESSION");
  const found = await deps.sessions.find(hashToken(caller.sessionToken));
  if (found)
    await deps.sessions.revoke(found.session, {
      actor: sessionActor(found),
      subject: { kind: "session", id: found.session.id },
      action: "session.signed-out",
      caller,
    });
  if (found?.session.impersonatedBy) await endParked(deps, caller, found.session.impersonatedBy);
  return { reply: { success: true }, effect: { kind: "clear" } };
};
