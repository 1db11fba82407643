import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";

type ResolveSession = typeof operations.identity.resolveSession;

/** Returns session and user of a token that another service received, or null. Does not extend the session. */
export const resolveToken = async (
  deps: ResolveSessionNeeds,
  { caller, body: { token } }: Call<ResolveSession>,
): Promise<Answer<OperationReply<ResolveSession>>> => {
  const asked = { ...caller, sessionToken: token };
  const found = await resolveSession(deps, asked, { disableRefresh: true });
  return { reply: found ? { session: found.session, user: found.user } : null };
};
