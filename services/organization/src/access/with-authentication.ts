import { type Caller, operations, WireError } from "@latchkey/contracts";
import { type ResolvedSession, vouchedSession } from "@latchkey/service-kit/http";
import { orFieldTaken } from "@latchkey/service-kit/fields";
import type { OperationHandlers } from "@latchkey/service-kit/run";
import { fieldTables } from "../config.ts";
import type { Deps } from "../deps.ts";
import { type Acting, UnknownAuthenticationError } from "./require-second-factor.ts";

type Needs = Pick<Deps, "config" | "identity">;
type Handler = (deps: Needs, call: Acting) => Promise<unknown>;
type Handlers = OperationHandlers<"organization", Deps>;

/** Returns the session of a caller as identity stores it, or nothing if it has ended. */
export const findStoredSession = async (
  { config, identity }: Needs,
  caller: Caller,
): Promise<ResolvedSession | null | undefined> => {
  const { sessionToken: token, requestId } = caller;
  if (token === undefined) return undefined;
  const body = { token };
  const { resolveSession } = operations.identity;
  const resolved = await identity.call(resolveSession, { body }, { requestId });
  return resolved && vouchedSession({ ...caller, resolved }, config.additionalFields);
};

/** Returns the call with its session as identity stores it. Throws `UNAUTHORIZED` if that has ended. */
const withStoredSession = async (deps: Needs, call: Acting): Promise<Acting> => {
  const session = await findStoredSession(deps, call.caller);
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

/** Names the additional field whose value is taken, whichever table has it. */
const naming =
  (handler: Handler): Handler =>
  (deps, call) =>
    handler(deps, call).catch((error: unknown) => orFieldTaken(fieldTables(deps.config), error));

/**
 * Refuses a value of a unique additional field that is taken. Repeats an operation that must know whether its session has passed a second factor, with the session as identity stores it. Handlers
 * find out before they change anything, or in a transaction. Identity is thus called outside of transactions, and only for organizations
 * that require a second factor and sessions from the cookie cache.
 */
export const withAuthentication = (handlers: Handlers): Handlers =>
  Object.fromEntries(
    Object.entries(handlers as unknown as Record<string, Handler>).map(([name, handler]) => [
      name,
      naming(retried(handler)),
    ]),
  ) as unknown as Handlers; // each keeps its name and its result
