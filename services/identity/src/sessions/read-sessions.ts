import { type Caller, type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isUnavailable } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionToken } from "../jwt/session-token.ts";
import { mayCache } from "./cached-session.ts";
import { sessionReply } from "./get-session.ts";
import { readSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { settledTogether } from "./settled-together.ts";

type ReadSessions = typeof operations.identity.readSessions;
type ReadSession = OperationReply<ReadSessions>["sessions"][number];
type Needs = ResolveSessionNeeds & Pick<Deps, "sessionJson" | "signingKeys">;

const { getSession } = operations.identity;

const readOne = async (deps: Needs, caller: Caller): Promise<ReadSession> => {
  const found = await readSession(deps, caller);
  if (!found) return null;
  const signedToken = await sessionToken(deps, found, caller);
  return {
    json: deps.sessionJson(sessionReply(deps, found)),
    ...(found.remembered && mayCache(deps, found.session) && { epoch: found.epoch }),
    ...(signedToken !== undefined && { signedToken }),
  };
};

/**
 * Returns the replies to concurrent get-session requests that only read. Only the gateway may call it, because the signed tokens name the
 * base URL of each request. A failed or slow read is null, so that it affects no other, unless the store is unavailable to all.
 */
export const readSessions = async (
  deps: Needs,
  { caller, body: { callers } }: Call<ReadSessions>,
): Promise<Answer<OperationReply<ReadSessions>>> => {
  if (caller.service !== "gateway") throw new WireError("FORBIDDEN");
  const reads = callers.map((one) =>
    readOne(deps, { ...caller, ...one, operation: getSession.name }),
  );
  const settled = await settledTogether(reads).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    return []; // each request, forwarded alone, gets its own error
  });
  return { reply: { sessions: callers.map((_, index) => settled[index] ?? null) } };
};
