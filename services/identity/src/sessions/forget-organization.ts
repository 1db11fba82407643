import type { Caller, OperationReply, operations, SessionEffect } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { reissue } from "./session-rules.ts";

type ForgetOrganization = typeof operations.identity.forgetOrganization;

interface Departure {
  organizationId: string;
  userIds: readonly string[];
}

/**
 * Removes an organization from the sessions of users who are no longer members, or after its deletion. Returns the users
 * who had such a session.
 */
export const takeOrganization = async (
  { sessions }: Pick<Deps, "sessions">,
  { organizationId, userIds }: Departure,
  caller?: Caller,
): Promise<string[]> => {
  const holders = await sessions.listOrganizationHolders(userIds, organizationId);
  for (const userId of holders) await sessions.forgetOrganization(userId, organizationId, caller);
  return holders;
};

/** Returns the caller's own changed session for the browser. Returns null if it is unchanged or has ended. */
const renewOwn = async (
  deps: ResolveSessionNeeds,
  { caller, body: { own } }: Call<ForgetOrganization>,
  changed: readonly string[],
): Promise<SessionEffect | null> => {
  if (!own || changed.length === 0) return null;
  const owner = { ...caller, sessionToken: own.token, browserSession: own.browserSession ?? false };
  const found = await resolveSession(deps, owner, { disableRefresh: true });
  return found && changed.includes(found.user.id) ? reissue(deps, found) : null;
};

/** Removes an organization for a service, and returns the effect on the session of that service's caller. */
export const forgetOrganization = async (
  deps: ResolveSessionNeeds & Pick<Deps, "revisionRecords">,
  call: Call<ForgetOrganization>,
): Promise<Answer<OperationReply<ForgetOrganization>>> => {
  const { caller, body } = call;
  const changed = await takeOrganization(deps, body, caller);
  const effect = await renewOwn(deps, call, changed);
  return { reply: { effect, epochs: deps.revisionRecords.notedFor(caller) } };
};
