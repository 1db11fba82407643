import { operations, WireError } from "@latchkey/contracts";
import { type OperationHandlers, vouchedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type Acting, UnknownAuthenticationError } from "./require-second-factor.ts";

type Needs = Pick<Deps, "config" | "identity">;
type Handler = (deps: Needs, call: Acting) => Promise<unknown>;
type Handlers = OperationHandlers<"organization", Deps>;

/** Returns the call with its session as identity stores it. Throws `UNAUTHORIZED` if that has ended. */
const withStoredSession = async ({ config, identity }: Needs, call: Acting): Promise<Acting> => {
  const { caller } = call;
  const { sessionToken: token, requestId } = caller;
  const body = token === undefined ? undefined : { token };
  const resolved =
    body && (await identity.call(operations.identity.resolveSession, { body }, { requestId }));
  const session =
    resolved &&
    vouchedSession({ ...caller, resolved }, { session: {}, ...config.additionalFields });
  if (!session) throw new WireError("UNAUTHORIZED");
  return { ...call, session };
};

const retried =
  (handler: Handler): Handler =>
  async (deps, call) => {
    try {
      return await handler(deps, call);
    } catch (error) {
      if (!(error instanceof UnknownAuthenticationError)) throw error;
      return handler(deps, await withStoredSession(deps, call));
    }
  };

/**
 * Repeats an operation that must know whether its session has passed a second factor, with the session as identity stores it. Handlers
 * find out before they change anything, or in a transaction. Identity is thus called outside of transactions, and only for organizations
 * that require a second factor and sessions from the cookie cache.
 */
export const withAuthentication = (handlers: Handlers): Handlers =>
  Object.fromEntries(
    Object.entries(handlers as unknown as Record<string, Handler>).map(([name, handler]) => [
      name,
      retried(handler),
    ]),
  ) as unknown as Handlers; // each keeps its name and its result
