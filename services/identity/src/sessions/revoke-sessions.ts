import type { operations } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endChallengesAndTrust } from "../second-factor/queries.ts";
import { lockUser } from "../users/queries.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";

type RevokeSessions = typeof operations.identity.revokeSessions;
type RevokeOthers = typeof operations.identity.revokeOtherSessions;

type Needs = Pick<Deps, "db" | "ring" | "sessions">;

const revokeAll = async (
  deps: Needs,
  { caller, session }: Call<RevokeSessions> | Call<RevokeOthers>,
  keepCurrent: boolean,
): Promise<Answer<{ status: boolean }>> => {
  if (!keepCurrent) {
    const { id: userId } = session.user;
    await deps.db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      await endChallengesAndTrust(trx, userId);
      await endPendingSignIns(trx, deps, { userId });
    });
  }
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
 * Ends every session of the caller, including the current one, waiting sign-ins, mailed links and codes for a sign-in, and
 * the trust in browsers. The next get-session clears the browser.
 */
export const revokeSessions = (deps: Needs, call: Call<RevokeSessions>) =>
  revokeAll(deps, call, false);

/** Ends every session of the caller except the current one. */
export const revokeOtherSessions = (deps: Needs, call: Call<RevokeOthers>) =>
  revokeAll(deps, call, true);
