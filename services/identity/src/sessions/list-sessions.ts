import type { OperationReply, operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionTokenPurpose } from "./create-session.ts";
import { sessionHandle } from "./session-handle.ts";
import type { StoredSession } from "./store/session-store.ts";
import { isStrongSession } from "./strong-session.ts";

type ListSessions = typeof operations.identity.listSessions;

/**
 * Lists the caller's live sessions, without impersonations. Only a strong session sees the tokens of the others, and every other session
 * gets handles in place of them. With a token a thief of an old session would act in one that has just passed a second factor, and an admin
 * in one that is not marked as an impersonation. Leaves out other sessions whose token was sealed under a removed secret.
 */
export const listSessions = async (
  deps: Pick<Deps, "clock" | "config" | "ring" | "sessions" | "showSession">,
  { session: resolved }: Call<ListSessions>,
): Promise<Answer<OperationReply<ListSessions>>> => {
  const { session: current, user } = resolved;
  const { defaultFindManyLimit } = deps.config.database;
  const now = new Date(deps.clock());
  const stored = await deps.sessions.list(user.id, now, defaultFindManyLimit);
  const own = stored.filter(({ impersonatedBy }) => impersonatedBy === null);
  const seesTokens = !current.impersonatedBy && isStrongSession(deps, resolved);
  const tokenOf = (session: StoredSession): string | undefined => {
    if (session.id === current.id) return current.token;
    return seesTokens
      ? unseal(deps.ring, sessionTokenPurpose, session.tokenSealed)
      : sessionHandle(deps.ring, session);
  };
  const reply = own.flatMap((session) => {
    const token = tokenOf(session);
    return token === undefined ? [] : [deps.showSession(session, token)];
  });
  return { reply };
};
