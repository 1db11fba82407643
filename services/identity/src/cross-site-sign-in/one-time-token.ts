import { type Caller, WireError } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import { isTokenPage, setQuery } from "@latchkey/service-kit/http";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { findGuestId, linkGuest } from "../access/link-guest.ts";
import { issueSecret, readSecret, type SecretNeeds, useSecret } from "../secrets/secrets.ts";
import { endImpersonationByOther } from "../sessions/create-session.ts";
import { fillSlot, slotChangesFor, takeSlot } from "../sessions/device-sessions.ts";
import { type LiveSession, reissue } from "../sessions/session-rules.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";

/** A token, and the origin of the application that exchanges it. No other application finds it. */
interface PresentedToken {
  token: string;
  application: string;
}

/** Returns the origin of the application that sends a request. A request that names none counts as one of our own origin. */
const applicationOrigin = ({ origin, baseUrl }: Caller): string =>
  origin ?? new URL(baseUrl).origin;

/** Creates a token that stands for a session. */
const createOneTimeToken = async (
  deps: SecretNeeds & Pick<Deps, "db" | "logger">,
  {
    sessionToken,
    userId,
    application,
  }: { sessionToken: string; userId: string; application: string },
): Promise<string> => {
  const { token } = await issueSecret(deps, deps.db, {
    name: "oneTimeToken",
    holder: userId,
    content: sessionToken,
    lifetimeSeconds: deps.config.oneTimeToken.expiresIn,
    application,
  });
  return token;
};

/** Returns the token of the session for which a valid token stands. */
const readOneTimeToken = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  presented: PresentedToken,
): Promise<string | undefined> => (await readSecret(deps, "oneTimeToken", presented))?.content;

/** Uses up a token in the transaction of its audit entry. Returns true for exactly one of several concurrent calls. */
const consumeOneTimeToken = async (
  deps: Pick<Deps, "clock" | "config" | "ring">,
  trx: Kysely<Tables>,
  presented: PresentedToken,
): Promise<boolean> =>
  (await useSecret(deps, trx, { name: "oneTimeToken", ...presented })) !== undefined;

/** Returns the origin of a redirect target. Mobile apps have none, because any app may claim their scheme. */
const originOf = (callbackURL: string): string => {
  const origin = URL.parse(callbackURL)?.origin;
  if (origin === undefined || origin === "null") throw new WireError("INVALID_CALLBACKURL");
  return origin;
};

/** Returns a token for the caller's session. Without `callbackURL`, or with a path, only our own origin can exchange it. */
export const generateOneTimeToken: Handler<"generateOneTimeToken"> = async (
  deps,
  { caller, query: { callbackURL }, session },
) => {
  const { sessionToken } = caller;
  if (sessionToken === undefined) throw new WireError("UNAUTHORIZED");
  const isOwn = callbackURL === undefined || callbackURL === "" || callbackURL.startsWith("/");
  const application = isOwn ? applicationOrigin(caller) : originOf(callbackURL);
  const { userId } = session.session;
  return {
    reply: { token: await createOneTimeToken(deps, { sessionToken, userId, application }) },
  };
};

/** Returns the session for which a token stands, if it still lives. */
const findSession = async (
  deps: ResolveSessionNeeds,
  presented: PresentedToken,
  { requestId, operation, baseUrl, address, userAgent }: Caller,
): Promise<LiveSession | undefined> => {
  const sessionToken = await readOneTimeToken(deps, presented);
  if (sessionToken === undefined) return undefined;
  // Nothing that the exchanging client holds may change how the session is read.
  const holder = { requestId, operation, baseUrl, address, userAgent, sessionToken };
  return resolveSession(deps, holder, { disableRefresh: true });
};

/** Uses a token up, with its audit entry. */
const use = (
  deps: ResolveSessionNeeds,
  presented: PresentedToken,
  { caller, found }: { caller: Caller; found: LiveSession },
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await consumeOneTimeToken(deps, trx, presented))) return false;
    await appendAudit(trx, deps, {
      actor: sessionActor(found),
      subject: { kind: "session", id: found.session.id },
      action: "session.handed-over",
      caller,
      after: { userId: found.session.userId, origin: presented.application },
    });
    return true;
  });

/**
 * Exchanges a token for the session that it stands for. It is the same session, so it is never stronger than its source and ends together
 * with it. A guest in whose session an application exchanges it is handed over to the user, as by any sign-in. All refusals are one error,
 * so a caller learns nothing about a token.
 */
export const verifyOneTimeToken: Handler<"verifyOneTimeToken"> = async (
  deps,
  { caller, body: { token } },
) => {
  const presented = { token, application: applicationOrigin(caller) };
  const presentedSession = await findSession(deps, presented, caller);
  if (!presentedSession) throw new WireError("ONE_TIME_TOKEN_INVALID");
  const { session, user } = presentedSession;
  const guestId = await findGuestId(deps, caller);
  // A guest never becomes another guest, because nothing would be handed over.
  if (user.isAnonymous && guestId !== undefined && guestId !== user.id)
    throw new WireError("ONE_TIME_TOKEN_INVALID");
  const claim = user.isAnonymous ? undefined : await takeSlot(deps, caller, user.id);
  if (!(await use(deps, presented, { caller, found: presentedSession })))
    throw new WireError("ONE_TIME_TOKEN_INVALID");
  await linkGuest(deps, { user, guestId, caller });
  const isOver = await endImpersonationByOther(deps, user.id, caller);
  const deviceSessions = user.isAnonymous
    ? await slotChangesFor(deps, caller)
    : claim && (await fillSlot(deps, caller, { claim, started: presentedSession }));
  return {
    reply: { session, user },
    effect: {
      ...reissue(deps, presentedSession),
      ...(isOver ? { unparks: true } : {}),
      ...(deviceSessions ? { deviceSessions } : {}),
    },
  };
};

type Needs = ResolveSessionNeeds & Pick<Deps, "logger" | "newId">;

/**
 * Returns what the application learns: a token for the caller's session, or why there is none. An impersonation gives none, because
 * the admin acts as the user in this browser only.
 */
const outcomeOf = async (
  deps: Needs,
  { caller }: CallOf<"returnToApplication">,
  application: string,
): Promise<[name: "one_time_token" | "error", value: string]> => {
  const { sessionToken } = caller;
  const currentSession = await resolveSession(deps, caller, { disableRefresh: true });
  if (!currentSession || sessionToken === undefined) return ["error", "unauthorized"];
  const { userId, impersonatedBy } = currentSession.session;
  if (impersonatedBy) return ["error", "forbidden"];
  return ["one_time_token", await createOneTimeToken(deps, { sessionToken, userId, application })];
};

/** Leads the browser back to a page of an application of another site. Replaces what the address says about the outcome. */
export const returnToApplication: Handler<"returnToApplication"> = async (deps, call) => {
  const { callbackURL } = call.query;
  const { callbackURLs } = deps.config.oneTimeToken;
  if (!isTokenPage(callbackURLs, callbackURL)) throw new WireError("INVALID_CALLBACKURL");
  const [name, value] = await outcomeOf(deps, call, new URL(callbackURL).origin);
  return { redirect: setQuery(callbackURL, { [name]: value }, ["one_time_token", "error"]) };
};
