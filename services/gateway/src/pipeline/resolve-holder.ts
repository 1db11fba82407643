import { operations } from "@latchkey/contracts";
import { readTogether, type ServiceClient } from "@latchkey/service-kit";

/** A session token and the request that holds it. */
interface Held {
  token: string;
  requestId: string;
}

/** Returns the active session of a token with its user, as JSON text, or undefined if there is none. */
export type ResolveHolder = (held: Held) => Promise<string | undefined>;

/** Longer than a call usually takes, and short if a replica is silent. */
const waitMilliseconds = 10;

/**
 * Creates the look-up in identity. Concurrent requests share one call, whose request id is that of the first. The call is sent after all of
 * them have begun, so each sees every session that ended before it. As many calls are pending at a time as there are replicas. Further
 * requests wait for the end of one, for at most `waitMilliseconds`, and share the next one.
 */
export const createHolderResolver = (
  identity: Pick<ServiceClient, "call">,
  replicas: number,
): ResolveHolder => {
  const read = async (all: readonly Held[]) => {
    const tokens = all.map(({ token }) => token);
    const { resolved } = await identity.call(
      operations.identity.resolveSessions,
      { body: { tokens } },
      all[0] && { requestId: all[0].requestId },
    );
    return all.map((_, index) => resolved[index] ?? undefined);
  };
  const lookUp = readTogether(read, { statementsMax: replicas, waitMilliseconds });
  return async (held) => {
    const json = (await lookUp(held)) ?? (await read([held]))[0];
    return json === "null" ? undefined : json;
  };
};
