import { type Caller, operations, type SessionEffect } from "@latchkey/contracts";
import { epochHeaders } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type Needs = Pick<Deps, "identity" | "logger">;

/** What an answer carries of a change to sessions. */
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
  headers: epochHeaders(epochs),
});

const own = ({ sessionToken, browserSession }: Caller) =>
  sessionToken === undefined
    ? undefined
    : { token: sessionToken, ...(browserSession ? { browserSession } : {}) };

/** Has the caller's session work in an organization, or in none. Rejects where identity is away. */
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
  { requestId }: Caller,
  change: () => Promise<SessionsChanged>,
): Promise<SessionsChanged> => {
  try {
    return await change();
  } catch (error) {
    logger.warn({ err: error, requestId }, "the session was not told of the organization");
    return {};
  }
};

/** The same after a change that has happened already: where identity is away, the session stays as it is. */
export const chooseOrganizationIfPossible = (
  deps: Needs,
  caller: Caller,
  organizationId: string | null,
): Promise<SessionsChanged> =>
  orNothing(deps, caller, () => chooseOrganization(deps, caller, organizationId));

/**
 * Takes an organization from the sessions of users who have left it, at once; the event of the change does the same once
 * more, in case that identity is away.
 */
export const forgetOrganization = (
  deps: Needs,
  caller: Caller,
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
): Promise<SessionsChanged> =>
  orNothing(deps, caller, async () => {
    const session = own(caller);
    const body = { organizationId, userIds: [...userIds], ...(session ? { own: session } : {}) };
    const { requestId } = caller;
    return changed(
      await deps.identity.call(operations.identity.forgetOrganization, { body }, { requestId }),
    );
  });
