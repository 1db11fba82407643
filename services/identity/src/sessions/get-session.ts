import {
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { type Answer, type Call, isUnavailable, vouchedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionToken } from "../tokens/session-token.ts";
import { cachedSession } from "./cached-session.ts";
import type { LiveSession } from "./live-session.ts";
import { resolveSession } from "./resolve-session.ts";

type GetSession = typeof operations.identity.getSession;
type Needs = Pick<
  Deps,
  | "activity"
  | "clock"
  | "config"
  | "db"
  | "ring"
  | "sessions"
  | "showSession"
  | "showUser"
  | "signingKeys"
>;

const renewCache = (deps: Needs, found: LiveSession): SessionEffect | undefined => {
  const { cached } = cachedSession(deps, found, found.epoch);
  return cached && { kind: "cache", cached };
};

/**
 * The caller's session and user, or null. A token that opens nothing is taken from the browser; having shown none
 * changes nothing. The session that an API key stands for is new with each request, so no signed token is made of it unasked.
 */
export const getSession = async (
  deps: Needs,
  { caller, query }: Call<GetSession>,
): Promise<Answer<OperationReply<GetSession>>> => {
  if (caller.apiKeyId !== undefined)
    return { reply: vouchedSession(caller, deps.config.additionalFields) ?? null };
  if (caller.sessionToken === undefined) return { reply: null };
  try {
    const found = await resolveSession(deps, caller, {
      disableRefresh: query.disableRefresh ?? false,
    });
    if (!found) return { reply: null, effect: { kind: "clear" } };
    const { session, user, effect } = found;
    const tokenOrWait = sessionToken(deps, found, caller);
    const token = tokenOrWait instanceof Promise ? await tokenOrWait : tokenOrWait;
    const mayKeep = !caller.browserSession && !query.disableRefresh;
    return {
      reply: { session, user },
      effect: effect ?? (mayKeep ? renewCache(deps, found) : undefined),
      headers: token === undefined ? undefined : { "set-auth-jwt": token },
    };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new WireError("FAILED_TO_GET_SESSION", { status: 500, cause: error });
  }
};
