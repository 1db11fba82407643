import { type Caller, operations, type SessionEffect, WireError } from "@latchkey/contracts";
import { type ResolvedSession, revisionHeaders } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { findMembership } from "../rows/members.ts";
import { findTeamMember } from "../rows/team-members.ts";
import type { WhichOrganization } from "../rows/organizations.ts";

/** Returns the organization that a request names, or the active one of its session. */
export const organizationOf = (
  { session }: ResolvedSession,
  named: string | null | undefined,
): string | undefined => named || session.activeOrganizationId || undefined;

/** The parts of a request that identify an organization. */
interface Asked {
  organizationId?: string | null | undefined;
  organizationSlug?: string | undefined;
}

/** Returns the organization that a request names by slug or by id, or the active one of its session. */
export const whichOrganization = (
  session: ResolvedSession,
  { organizationId, organizationSlug }: Asked,
): WhichOrganization | undefined => {
  if (organizationSlug) return { slug: organizationSlug };
  const id = organizationOf(session, organizationId);
  return id === undefined ? undefined : { id };
};

type Needs = Pick<Deps, "identity" | "logger">;

/** The parts of a reply that carry a change to sessions. */
export interface SessionsChanged {
  effect?: SessionEffect;
  headers?: Record<string, string>;
}

interface Reply {
  effect: SessionEffect | null;
  epochs: { userId: string; epoch: number }[];
}

const changed = ({ effect, epochs }: Reply): SessionsChanged => ({
  ...(effect ? { effect } : {}),
  headers: revisionHeaders(epochs),
});

const own = ({ sessionToken, browserSession }: Pick<Caller, "browserSession" | "sessionToken">) =>
  sessionToken === undefined
    ? undefined
    : { token: sessionToken, ...(browserSession ? { browserSession } : {}) };

/** An organization, and a team of it. */
interface Place {
  organizationId: string;
  teamId?: string | undefined;
}

/** Sets or clears the active organization and team of the caller's session. Rejects if identity is unavailable. */
const chooseOrganization = async (
  { identity }: Pick<Needs, "identity">,
  caller: Caller,
  place: Place | null,
): Promise<SessionsChanged> => {
  const session = own(caller);
  if (!session) return {};
  const { organizationId = null, teamId = null } = place ?? {};
  const body = { ...session, organizationId, teamId };
  const { requestId } = caller;
  return changed(
    await identity.call(operations.identity.chooseOrganization, { body }, { requestId }),
  );
};

/** Does the same. Treats a session that ended in the meantime as no session. */
export const chooseOrUnauthorized = async (
  deps: Pick<Needs, "identity">,
  caller: Caller,
  place: Place | null,
): Promise<SessionsChanged> => {
  try {
    return await chooseOrganization(deps, caller, place);
  } catch (error) {
    const isGone = error instanceof WireError && error.code === "SESSION_NOT_FOUND";
    throw isGone ? new WireError("UNAUTHORIZED") : error;
  }
};

const orNothing = async (
  { logger }: Pick<Needs, "logger">,
  { requestId }: Pick<Caller, "requestId">,
  change: () => Promise<SessionsChanged>,
): Promise<SessionsChanged> => {
  try {
    return await change();
  } catch (error) {
    logger.warn({ err: error, requestId }, "failed to update the sessions' organization");
    return {};
  }
};

/** Does the same after a change that has already happened. If identity is unavailable, the session stays as it is. */
export const chooseOrganizationIfPossible = (
  deps: Needs,
  caller: Caller,
  place: Place | null,
): Promise<SessionsChanged> =>
  orNothing(deps, caller, () => chooseOrganization(deps, caller, place));

/** Short, because a client waits for it. */
const forgetMilliseconds = 3_000;
/** The most users that one call accepts. */
const forgottenAtOnce = 1_000;

/**
 * Removes an organization, or only a team of it, from the sessions of its former members before the client receives its reply. The event
 * of the change does the same again, in case identity is unavailable or too slow.
 */
export const forgetOrganization = (
  deps: Needs,
  caller: Pick<Caller, "browserSession" | "requestId" | "sessionToken">,
  { userIds, ...place }: Place & { userIds: readonly string[] },
): Promise<SessionsChanged> =>
  orNothing(deps, caller, async () => {
    const session = own(caller);
    const { requestId } = caller;
    const signal = AbortSignal.timeout(forgetMilliseconds);
    const replies: Reply[] = [];
    for (let from = 0; from < userIds.length; from += forgottenAtOnce) {
      const some = userIds.slice(from, from + forgottenAtOnce);
      const body = { ...place, userIds: some, ...(session ? { own: session } : {}) };
      const callOptions = { requestId, signal };
      replies.push(
        await deps.identity.call(operations.identity.forgetOrganization, { body }, callOptions),
      );
    }
    return changed({
      effect: replies.find(({ effect }) => effect !== null)?.effect ?? null,
      epochs: replies.flatMap(({ epochs }) => epochs),
    });
  });

interface Choice extends Place {
  /** Calls identity. */
  choose: typeof chooseOrganizationIfPossible;
}

/**
 * Makes an organization of the caller, and a team of theirs in it, active in their session, then checks both again. A concurrent removal may
 * have cleared the user's sessions before the choice reached one. In that case all sessions are cleared and `holds` is false. The reply then
 * tells the gateway that earlier cached sessions are void, without giving the browser a new one.
 */
export const chooseAsMember = async (
  deps: Needs & Pick<Deps, "db">,
  { caller, session: { user } }: { caller: Caller; session: ResolvedSession },
  { organizationId, teamId, choose }: Choice,
): Promise<{ holds: boolean; changed: SessionsChanged }> => {
  const chosen = await choose(deps, caller, { organizationId, teamId });
  const member = await findMembership(deps.db, { organizationId, userId: user.id });
  const isInTeam =
    !teamId || (member && (await findTeamMember(deps.db, { teamId, memberId: member.id })));
  if (member && isInTeam) return { holds: true, changed: chosen };
  const userIds = [user.id];
  const lost = member ? { organizationId, teamId } : { organizationId };
  const forgotten = await forgetOrganization(deps, caller, { ...lost, userIds });
  return { holds: false, changed: { headers: { ...chosen.headers, ...forgotten.headers } } };
};

/**
 * Throws `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` (403). If it was the active organization of the caller's session, it is removed from
 * all of the caller's sessions. Otherwise sessions stay as they are.
 */
export const refuseStranger = async (
  deps: Pick<Deps, "identity" | "logger">,
  { caller, session: { session } }: { caller: Caller; session: ResolvedSession },
  which: WhichOrganization,
): Promise<never> => {
  if ("id" in which && which.id === session.activeOrganizationId)
    await forgetOrganization(deps, caller, {
      organizationId: which.id,
      userIds: [session.userId],
    });
  throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
};
