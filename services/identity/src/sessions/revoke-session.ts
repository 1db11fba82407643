import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { namedTokenHash } from "./session-handle.ts";

type RevokeSession = typeof operations.identity.revokeSession;

/** Ends one of the caller's own sessions, identified by its token or its handle. Rejects the session of another user. */
export const revokeSession = async (
  deps: Pick<Deps, "ring" | "sessions">,
  { caller, body, session }: Call<RevokeSession>,
): Promise<Answer<OperationReply<RevokeSession>>> => {
  const found = await deps.sessions.find(namedTokenHash(deps.ring, body.token));
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
