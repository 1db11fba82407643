import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type SignOut = typeof operations.identity.signOut;

/** Ends the session that the caller holds and clears the browser; a token that opens nothing is cleared all the same. */
export const signOut = async (
  deps: Pick<Deps, "sessions">,
  { caller }: Call<SignOut>,
): Promise<Answer<OperationReply<SignOut>>> => {
  if (caller.sessionToken === undefined) throw new WireError("FAILED_TO_GET_SESSION");
  const found = await deps.sessions.find(hashToken(caller.sessionToken));
  if (found)
    await deps.sessions.revoke(found.session, {
      actor: { kind: "user", id: found.user.id },
      subject: { kind: "session", id: found.session.id },
      action: "session.signed-out",
      caller,
    });
  return { reply: { success: true }, effect: { kind: "clear" } };
};
