import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { reissue } from "./session-rules.ts";

type ChooseOrganization = typeof operations.identity.chooseOrganization;

/**
 * Has the session of a token work in an organization, or in none; whether its user belongs to that one is for whoever asks to
 * know. Throws `SESSION_NOT_FOUND` for a token that opens none.
 */
export const chooseOrganization = async (
  deps: ResolveSessionNeeds & Pick<Deps, "epochNotes">,
  { caller, body }: Call<ChooseOrganization>,
): Promise<Answer<OperationReply<ChooseOrganization>>> => {
  const { token, browserSession = false } = body;
  const owner = { ...caller, sessionToken: token, browserSession };
  const find = async () => {
    const found = await resolveSession(deps, owner, { disableRefresh: true });
    if (!found) throw new WireError("SESSION_NOT_FOUND");
    return found;
  };
  const { user } = await find();
  const session = { tokenHash: hashToken(token), userId: user.id };
  // Of a session that has ended meanwhile nothing is changed, and nothing found below.
  await deps.sessions.chooseOrganization(session, body.organizationId || null, caller);
  const effect = reissue(deps, await find(), owner);
  return { reply: { effect, epochs: deps.epochNotes.notedFor(caller) } };
};
