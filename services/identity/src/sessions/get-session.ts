import {
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import {
  type Answer,
  type Call,
  isUnavailable,
  NotSharedError,
  vouchedSession,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionToken } from "../jwt/session-token.ts";
import { mayCache } from "./cached-session.ts";
import type { LiveSession } from "./live-session.ts";
import { resolveSession } from "./resolve-session.ts";

type GetSession = typeof operations.identity.getSession;
type RefreshSession = typeof operations.identity.refreshSession;
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

/** The gateway caches the session and user of the reply, so that they are not sent twice. */
const renewCache = (deps: Needs, found: LiveSession): SessionEffect | undefined =>
  mayCache(deps, found) ? { kind: "cache", epoch: found.epoch } : undefined;

/** Returns the reply that shows a session to its owner. */
const sessionReply = (
  { config }: Pick<Deps, "config">,
  { session, user, isDue = false }: LiveSession,
): NonNullable<OperationReply<GetSession>> => ({
  session,
  user,
  ...(config.session.deferSessionRefresh ? { needsRefresh: isDue } : {}),
});

/**
 * Returns the caller's session and user, or null. A token of no session is cleared in the browser. A request without a
 * token changes nothing. The session of an API key is new with each request, so a signed token is made for it only on
 * request.
 */
export const getSession = async (
  deps: Needs,
  { caller, query, isShared }: Call<GetSession> | Call<RefreshSession>,
): Promise<Answer<OperationReply<GetSession>>> => {
  if (caller.apiKeyId !== undefined)
    return { reply: vouchedSession(caller, deps.config.additionalFields) ?? null };
  if (caller.sessionToken === undefined) return { reply: null };
  try {
    const found = await resolveSession(deps, caller, {
      disableRefresh: query.disableRefresh ?? false,
      isShared,
    });
    // The admin web makes a parked session the browser's own again. That reply may arrive before this one, which would clear it.
    if (!found)
      return { reply: null, effect: caller.parkedSession ? undefined : { kind: "clear" } };
    const tokenOrWait = sessionToken(deps, found, caller);
    const token = tokenOrWait instanceof Promise ? await tokenOrWait : tokenOrWait;
    const mayKeep = found.remembered && !query.disableRefresh;
    return {
      reply: sessionReply(deps, found),
      effect: found.effect ?? (mayKeep ? renewCache(deps, found) : undefined),
      headers: token === undefined ? undefined : { "set-auth-jwt": token },
    };
  } catch (error) {
    if (error instanceof NotSharedError || isUnavailable(error)) throw error;
    throw new WireError("FAILED_TO_GET_SESSION", { status: 500, cause: error });
  }
};

/** The same for clients that extend by a separate request, if the options defer extensions to it. */
export const refreshSession = async (
  deps: Needs,
  call: Call<RefreshSession>,
): Promise<Answer<OperationReply<RefreshSession>>> => {
  if (!deps.config.session.deferSessionRefresh)
    throw new WireError("METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED");
  return getSession(deps, call);
};
