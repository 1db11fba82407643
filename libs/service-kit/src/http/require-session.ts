import {
  type Caller,
  type FullUser,
  hasPermissions,
  type Operation,
  type Options,
  refusesBorrowed,
  requiresStrong,
  type Session,
  type SessionEffect,
  type StepUpRules,
  WireError,
} from "@latchkey/contracts";
import { isStale } from "./is-stale.ts";

/** A session with its user, and the effect of the look-up on the browser's session cookies. */
export interface ResolvedSession {
  session: Session;
  user: FullUser;
  effect?: SessionEffect;
  /** False for a session that ends with the browser. Only identity sets it. */
  remembered?: boolean;
  /** Absent for the session of an API key, and for one from the session cookie cache. */
  authentication?: SessionAuthentication;
}

/** How the user of a session was authenticated. */
export interface SessionAuthentication {
  authenticatedAt: Date;
  /** Null if the user has passed no second factor. */
  secondFactorAt: Date | null;
  /** Names of methods, separated by commas. */
  methods: string;
}

/** The input of a request. */
interface Asked {
  caller: Caller;
  query: Record<string, unknown>;
  /** The validated body, or undefined without one. */
  body: object | undefined;
}

/** How a session is looked up. */
export interface ResolveOptions {
  disableRefresh: boolean;
}

/** Rules for the look-up and the permissions of sessions. `admin` and `organization` define what roles may do. */
export interface SessionRules extends StepUpRules, Pick<Options, "anonymous"> {
  clock: () => number;
  freshAgeSeconds: number;
  /** Finds the caller's session, or returns undefined if there is none. */
  resolveSession: (caller: Caller, options: ResolveOptions) => Promise<ResolvedSession | undefined>;
}

const signedOutError = ({ signedOut = "UNAUTHORIZED" }: Operation): WireError => {
  if (typeof signedOut === "string") return new WireError(signedOut);
  const [code, status] = signedOut;
  return new WireError(code, { status });
};

/** The session of a request, with what the request requires of it. */
interface Found {
  session: ResolvedSession;
  /** Whether the input requires a strong session. */
  isGuarded: boolean;
}

/** Returns whether the operation rejects sessions of this kind: by impersonation, or by API key. Neither can become strong. */
const isRefused = (
  { refusesApiKeys, refusesImpersonators, stepUp, waysIn = [] }: Operation,
  { caller, body }: Asked,
  { session: { session }, isGuarded }: Found,
): boolean => {
  const changesWayIn = waysIn.some((name) => body !== undefined && Object.hasOwn(body, name));
  const isClosed = changesWayIn || (isGuarded && refusesBorrowed(stepUp));
  const isImpersonation = Boolean(session.impersonatedBy);
  const isOfKey = caller.apiKeyId !== undefined;
  return (
    (isImpersonation && (refusesImpersonators === true || isClosed)) ||
    (isOfKey && (refusesApiKeys === true || isClosed))
  );
};

/** Returns whether the operation serves guests, by its declaration or by the options. */
const admitsGuest = (
  { admitsGuests, owner }: Operation,
  { anonymous: { allow } }: Pick<SessionRules, "anonymous">,
): boolean =>
  admitsGuests === true ||
  (owner === "organization" && allow.includes("organizations")) ||
  (owner === "apikey" && allow.includes("apiKeys"));

type Freshness = Parameters<typeof isStale>[1];

/** Returns the proof that a session lacks to be strong, or undefined if it is strong. A freshness of 0 makes every session strong. */
export const missingProof = (
  { user: { twoFactorEnabled = false }, authentication }: ResolvedSession,
  freshness: Freshness,
): "sign-in" | "second-factor" | undefined => {
  if (freshness.freshAgeSeconds === 0) return undefined;
  const lacks = (since: Date | null | undefined) => !since || isStale(since, freshness);
  if (twoFactorEnabled && lacks(authentication?.secondFactorAt)) return "second-factor";
  return lacks(authentication?.authenticatedAt) ? "sign-in" : undefined;
};

/** Throws `SESSION_IS_NOT_FRESH`, with the missing proof, if a session is not strong. */
export const requireStrongSession = (session: ResolvedSession, freshness: Freshness): void => {
  const requires = missingProof(session, freshness);
  if (requires) throw new WireError("SESSION_IS_NOT_FRESH", { details: { requires } });
};

/**
 * Returns the session that an operation requires. Throws the operation's error for a missing session, then `FORBIDDEN`, the
 * error for a missing permission, and `SESSION_IS_NOT_FRESH`.
 */
export const requireSession = async (
  declared: Operation,
  rules: SessionRules,
  asked: Asked,
): Promise<ResolvedSession> => {
  const { caller, query, body } = asked;
  const session = await rules.resolveSession(caller, {
    disableRefresh: query["disableRefresh"] === "true",
  });
  if (!session) throw signedOutError(declared);
  const hasSecondFactor = session.user.twoFactorEnabled ?? false;
  const isGuarded = requiresStrong(declared.stepUp, { body, hasSecondFactor }, rules);
  if (isRefused(declared, asked, { session, isGuarded })) throw new WireError("FORBIDDEN");
  if (session.user.isAnonymous && !admitsGuest(declared, rules)) throw new WireError("FORBIDDEN");
  if (declared.permission) {
    const { resource, action, refusal } = declared.permission;
    if (!hasPermissions(rules.admin, session.user, { [resource]: [action] }))
      throw new WireError(refusal);
  }
  const freshness = { now: rules.clock(), freshAgeSeconds: rules.freshAgeSeconds };
  if (declared.access === "fresh session" && isStale(session.session.updatedAt, freshness))
    throw new WireError("SESSION_IS_NOT_FRESH");
  const isBorrowed = Boolean(session.session.impersonatedBy) || caller.apiKeyId !== undefined;
  if (isGuarded && !isBorrowed) requireStrongSession(session, freshness);
  return session;
};
