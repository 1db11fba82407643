import type { OperationReply, operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionTokenPurpose } from "./create-session.ts";
import { sessionHandle } from "./session-handle.ts";

type ListSessions = typeof operations.identity.listSessions;

/**
 * Lists the caller's live sessions, without impersonations. An impersonation gets handles in place of tokens. A token
 * would give the admin a session that is not marked as an impersonation. Otherwise leaves out sessions whose token was
 * sealed under a removed secret.
 */
export const listSessions = async (
  deps: Pick<Deps, "clock" | "config" | "ring" | "sessions" | "showSession">,
  { session: { session: current, user } }: Call<ListSessions>,
): Promise<Answer<OperationReply<ListSessions>>> => {
  const { defaultFindManyLimit } = deps.config.database;
  const now = new Date(deps.clock());
  const stored = await deps.sessions.list(user.id, now, defaultFindManyLimit);
  const own = stored.filter(({ impersonatedBy }) => impersonatedBy === null);
  const reply = own.flatMap((session) => {
    const token = current.impersonatedBy
      ? sessionHandle(deps.ring, session)
      : unseal(deps.ring, sessionTokenPurpose, session.tokenSealed);
    return token === undefined ? [] : [deps.showSession(session, token)];
  });
  return { reply };
};
