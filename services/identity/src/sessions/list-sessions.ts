import type { OperationReply, operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionTokenPurpose } from "./create-session.ts";
import { toSession } from "./resolve-session.ts";

type ListSessions = typeof operations.identity.listSessions;

const listMax = 100;

/** The caller's live sessions with their tokens; one sealed under a secret that is gone is left out. */
export const listSessions = async (
  deps: Pick<Deps, "clock" | "ring" | "sessions">,
  { session: { user } }: Call<ListSessions>,
): Promise<Answer<OperationReply<ListSessions>>> => {
  const stored = await deps.sessions.list(user.id, new Date(deps.clock()), listMax);
  const reply = stored.flatMap((session) => {
    const token = unseal(deps.ring, sessionTokenPurpose, session.tokenSealed);
    return token === undefined ? [] : [toSession(session, token)];
  });
  return { reply };
};
