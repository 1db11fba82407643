import { type Caller, operations, type SessionEffect } from "@latchkey/contracts";
import { revisionHeaders } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

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

/** Sets or clears the active organization of the caller's session. Rejects if identity is unavailable. */
export const chooseOrganization = async (
  { identity }: Pick<Needs, "identity">,
  caller: Caller,
  organizationId: string | null,
): Promise<SessionsChanged> => {
  const session = own(caller);
  if (!session) return {};
  const body = { ...session, organizationId };
  const { requestId } = caller;
  return changed(
    await identity.call(operations.identity.chooseOrganization, { body }, { requestId }),
  );
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
  organizationId: string | null,
): Promise<SessionsChanged> =>
  orNothing(deps, caller, () => chooseOrganization(deps, caller, organizationId));

/** Short, because a client waits for it. */
const forgetMilliseconds = 3_000;
/** The most users that one call accepts. */
const forgottenAtOnce = 1_000;

/**
 * Removes an organization from the sessions of its former members before the client receives its reply. The event of the change does the
 * same again, in case identity is unavailable or too slow.
 */
export const forgetOrganization = (
  deps: Needs,
  caller: Pick<Caller, "browserSession" | "requestId" | "sessionToken">,
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
): Promise<SessionsChanged> =>
  orNothing(deps, caller, async () => {
    const session = own(caller);
    const { requestId } = caller;
    const signal = AbortSignal.timeout(forgetMilliseconds);
    const replies: Reply[] = [];
    for (let from = 0; from < userIds.length; from += forgottenAtOnce) {
      const some = userIds.slice(from, from + forgottenAtOnce);
      const body = { organizationId, userIds: some, ...(session ? { own: session } : {}) };
      const asked = { requestId, signal };
      replies.push(
        await deps.identity.call(operations.identity.forgetOrganization, { body }, asked),
      );
    }
    return changed({
      effect: replies.find(({ effect }) => effect !== null)?.effect ?? null,
      epochs: replies.flatMap(({ epochs }) => epochs),
    });
  });
