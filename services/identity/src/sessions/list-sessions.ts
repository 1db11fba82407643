import type { OperationReply, operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionTokenPurpose } from "./create-session.ts";

type ListSessions = typeof operations.identity.listSessions;

/** The caller's live sessions with their tokens, impersonations apart; one sealed under a secret that is gone is left out. */
export const listSessions = async (
  deps: Pick<Deps, "clock" | "config" | "ring" | "sessions" | "showSession">,
  { session: { user } }: Call<ListSessions>,
): Promise<Answer<OperationReply<ListSessions>>> => {
  const { defaultFindManyLimit } = deps.config.database;
  const now = new Date(deps.clock());
  const stored = await deps.sessions.list(user.id, now, defaultFindManyLimit);
  const own = stored.filter(({ impersonatedBy }) => impersonatedBy === null);
  const reply = own.flatMap((session) => {
    const token = unseal(deps.ring, sessionTokenPurpose, session.tokenSealed);
    return token === undefined ? [] : [deps.showSession(session, token)];
  });
  return { reply };
};
