import { hashToken } from "@latchkey/crypto";
import { sessionActor } from "@latchkey/service-kit";
import type { UserRow } from "../users/user-row.ts";
import { createSession, type CreateSessionNeeds, type NewSession } from "./create-session.ts";
import type { SessionStart } from "./create-session.ts";

/**
 * Replaces the caller's session by one with a new token, which keeps the expiry, the organization, the fields and whether it is
 * remembered. Returns undefined if the session has ended or another request has replaced it.
 */
export const replaceSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  { caller, proof }: Pick<SessionStart, "caller" | "proof">,
): Promise<NewSession | undefined> => {
  if (caller.sessionToken === undefined) return undefined;
  const found = await deps.sessions.find(hashToken(caller.sessionToken));
  if (!found || found.user.id !== user.id || found.session.impersonatedBy) return undefined;
  const { session: replaced } = found;
  const created = await createSession(deps, user, {
    caller,
    proof,
    remember: replaced.remembered && !caller.browserSession,
    replaces: replaced,
  });
  if (!created) return undefined;
  const isReplaced = await deps.sessions.revoke(replaced, {
    actor: sessionActor(found),
    subject: { kind: "session", id: replaced.id },
    action: "session.replaced",
    caller,
  });
  if (isReplaced) return created;
  // The session ended meanwhile, so its successor must end too.
  await deps.sessions.revoke(
    { tokenHash: hashToken(created.token), userId: user.id },
    {
      actor: { kind: "system" },
      subject: { kind: "session", id: created.session.id },
      action: "session.revoked",
      caller,
    },
  );
  return undefined;
};
