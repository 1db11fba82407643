import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import { endImpersonationByOther } from "../sessions/create-session.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";
import {
  applicationOrigin,
  consumeOneTimeToken,
  type PresentedToken,
  readOneTimeToken,
} from "./one-time-token.ts";

type VerifyOneTimeToken = typeof operations.identity.verifyOneTimeToken;

/** Returns the session for which a token stands, if it still lives. */
const findSession = async (
  deps: ResolveSessionNeeds,
  presented: PresentedToken,
  { requestId, operation, baseUrl, address, userAgent }: Caller,
): Promise<LiveSession | undefined> => {
  const sessionToken = await readOneTimeToken(deps, presented);
  if (sessionToken === undefined) return undefined;
  // Nothing that the exchanging client holds may change how the session is read.
  const holder = { requestId, operation, baseUrl, address, userAgent, sessionToken };
  return resolveSession(deps, holder, { disableRefresh: true });
};

/** Uses a token up, with its audit entry. */
const use = (
  deps: ResolveSessionNeeds,
  presented: PresentedToken,
  { caller, found }: { caller: Caller; found: LiveSession },
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await consumeOneTimeToken(deps, trx, presented))) return false;
    await appendAudit(trx, deps, {
      actor: sessionActor(found),
      subject: { kind: "session", id: found.session.id },
      action: "session.handed-over",
      caller,
      after: { userId: found.session.userId, origin: presented.origin },
    });
    return true;
  });

/**
 * Exchanges a token for the session that it stands for. It is the same session, so it is never stronger than its source and ends together
 * with it. All refusals are one error, so a caller learns nothing about a token.
 */
export const verifyOneTimeToken = async (
  deps: ResolveSessionNeeds,
  { caller, body: { token } }: Call<VerifyOneTimeToken>,
): Promise<Answer<OperationReply<VerifyOneTimeToken>>> => {
  const presented = { token, origin: applicationOrigin(caller) };
  const found = await findSession(deps, presented, caller);
  if (!found || !(await use(deps, presented, { caller, found })))
    throw new WireError("ONE_TIME_TOKEN_INVALID");
  const { session, user } = found;
  const isOver = await endImpersonationByOther(deps, user.id, caller);
  return {
    reply: { session, user },
    effect: { ...reissue(deps, found), ...(isOver ? { unparks: true } : {}) },
  };
};
