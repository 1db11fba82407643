import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { reissue } from "./session-rules.ts";

type ChooseOrganization = typeof operations.identity.chooseOrganization;

/**
 * Sets or clears the active organization of the session of a token. The calling service must check the membership. Throws
 * `SESSION_NOT_FOUND` if the token opens no session.
 */
export const chooseOrganization = async (
  deps: ResolveSessionNeeds & Pick<Deps, "revisionRecords">,
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
  // A session that has ended meanwhile is not changed, and not found below.
  await deps.sessions.chooseOrganization(session, body.organizationId || null, caller);
  const effect = reissue(deps, await find());
  return { reply: { effect, epochs: deps.revisionRecords.notedFor(caller) } };
};
