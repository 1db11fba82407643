import { WireError, type Caller, type SessionEffect } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { reissue } from "./session-rules.ts";
import type { SessionPlace } from "./store/session-store.ts";

/**
 * Sets or clears the active organization and team of the session of a token. The calling service must check the membership. Throws
 * `SESSION_NOT_FOUND` if the token opens no session.
 */
export const chooseOrganization: Handler<"chooseOrganization"> = async (deps, { caller, body }) => {
  const { token, browserSession = false, organizationId, teamId } = body;
  const owner = { ...caller, sessionToken: token, browserSession };
  const find = async () => {
    const current = await resolveSession(deps, owner, { disableRefresh: true });
    if (!current) throw new WireError("SESSION_NOT_FOUND");
    return current;
  };
  const { user } = await find();
  const session = { tokenHash: hashToken(token), userId: user.id };
  // A session that has ended meanwhile is not changed, and not found below.
  const place = organizationId ? { organizationId, teamId: teamId || undefined } : null;
  await deps.sessions.chooseOrganization(session, place, caller);
  const effect = reissue(deps, await find());
  return { reply: { effect, epochs: deps.revisionRecords.notedFor(caller) } };
};

interface Departure extends SessionPlace {
  userIds: readonly string[];
}

/**
 * Removes an organization, or only a team of it, from the sessions of users who are no longer members, or after its deletion. Returns the
 * users who had such a session.
 */
export const takeOrganization = async (
  { sessions }: Pick<Deps, "sessions">,
  { organizationId, teamId, userIds }: Departure,
  caller?: Caller,
): Promise<string[]> => {
  const place = { organizationId, teamId };
  const holders = await sessions.listOrganizationHolders(userIds, place);
  for (const userId of holders) await sessions.forgetOrganization(userId, place, caller);
  return holders;
};

/** Returns the caller's own changed session for the browser. Returns null if it is unchanged or has ended. */
const renewOwn = async (
  deps: ResolveSessionNeeds,
  { caller, body: { own } }: CallOf<"forgetOrganization">,
  changed: readonly string[],
): Promise<SessionEffect | null> => {
  if (!own || changed.length === 0) return null;
  const owner = { ...caller, sessionToken: own.token, browserSession: own.browserSession ?? false };
  const current = await resolveSession(deps, owner, { disableRefresh: true });
  return current && changed.includes(current.user.id) ? reissue(deps, current) : null;
};

/** Removes an organization for a service, and returns the effect on the session of that service's caller. */
export const forgetOrganization: Handler<"forgetOrganization"> = async (deps, call) => {
  const { caller, body } = call;
  const changed = await takeOrganization(deps, body, caller);
  const effect = await renewOwn(deps, call, changed);
  return { reply: { effect, epochs: deps.revisionRecords.notedFor(caller) } };
};
