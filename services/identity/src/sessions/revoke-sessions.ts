import type { operations } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";

type RevokeSessions = typeof operations.identity.revokeSessions;
type RevokeOthers = typeof operations.identity.revokeOtherSessions;

const revokeAll = async (
  deps: Pick<Deps, "sessions">,
  { caller, session }: Call<RevokeSessions> | Call<RevokeOthers>,
  keepCurrent: boolean,
): Promise<Answer<{ status: boolean }>> => {
  // The session of an API key is not a stored one, so none is kept.
  const isKept = keepCurrent && caller.apiKeyId === undefined;
  await deps.sessions.revokeAll(
    session.user.id,
    isKept ? hashToken(session.session.token) : undefined,
    {
      actor: sessionActor(session),
      subject: { kind: "user", id: session.user.id },
      action: keepCurrent ? "session.revoked-others" : "session.revoked-all",
      caller,
    },
  );
  return { reply: { status: true } };
};

/**
 * Ends every session of the caller, including the current one, and the links and codes that were mailed for a sign-in. The next
 * get-session clears the browser.
 */
export const revokeSessions = async (
  deps: Pick<Deps, "db" | "ring" | "sessions">,
  call: Call<RevokeSessions>,
): Promise<Answer<{ status: boolean }>> => {
  await endPendingSignIns(deps.db, deps, { userId: call.session.user.id });
  return revokeAll(deps, call, false);
};

/** Ends every session of the caller except the current one. */
export const revokeOtherSessions = (deps: Pick<Deps, "sessions">, call: Call<RevokeOthers>) =>
  revokeAll(deps, call, true);
