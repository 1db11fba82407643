import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type RevokeSession = typeof operations.identity.revokeSession;

/** Ends one of the caller's own sessions; somebody else's is refused, whether or not it lives. */
export const revokeSession = async (
  deps: Pick<Deps, "sessions">,
  { caller, body, session }: Call<RevokeSession>,
): Promise<Answer<OperationReply<RevokeSession>>> => {
  const tokenHash = hashToken(body.token);
  const found = await deps.sessions.find(tokenHash);
  if (!found) throw new WireError("SESSION_NOT_FOUND");
  if (found.session.userId !== session.user.id) throw new WireError("UNAUTHORIZED");
  await deps.sessions.revoke(found.session, {
    actor: sessionActor(session),
    subject: { kind: "session", id: found.session.id },
    action: "session.revoked",
    caller,
  });
  return { reply: { status: true } };
};
