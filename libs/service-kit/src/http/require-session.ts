import {
  type Caller,
  type FullUser,
  hasPermissions,
  type Operation,
  type Options,
  type Session,
  type SessionEffect,
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
  isShared?: boolean | undefined;
}

/** How a session is looked up. */
export interface ResolveOptions {
  disableRefresh: boolean;
  /** Whether a shared call contains the request. If the look-up would do more than read, it rejects with `NotSharedError`. */
  isShared?: boolean | undefined;
}

/** Rules for the look-up and the permissions of sessions. */
export interface SessionRules {
  clock: () => number;
  freshAgeSeconds: number;
  /** Finds the caller's session, or returns undefined if there is none. */
  resolveSession: (caller: Caller, options: ResolveOptions) => Promise<ResolvedSession | undefined>;
  /** Permissions of the users' roles, for operations that require one. */
  admin: Options["admin"];
}

const signedOutError = ({ signedOut = "UNAUTHORIZED" }: Operation): WireError => {
  if (typeof signedOut === "string") return new WireError(signedOut);
  const [code, status] = signedOut;
  return new WireError(code, { status });
};

/** Returns whether the operation rejects sessions of this kind: by impersonation, or by API key. */
const isRefused = (
  { refusesApiKeys, refusesImpersonators, waysIn = [] }: Operation,
  { caller, body }: Asked,
  { session }: ResolvedSession,
): boolean => {
  const changesWayIn = waysIn.some((name) => body !== undefined && Object.hasOwn(body, name));
  const isImpersonation = Boolean(session.impersonatedBy);
  const isOfKey = caller.apiKeyId !== undefined;
  return (
    (isImpersonation && (refusesImpersonators === true || changesWayIn)) ||
    (isOfKey && (refusesApiKeys === true || changesWayIn))
  );
};

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

/** Throws `SESSION_IS_NOT_FRESH`, with the missing proof, if an operation requires a strong session and this one is not. */
export const requireStrongSession = (
  { stepUp }: Pick<Operation, "stepUp">,
  session: ResolvedSession,
  freshness: Freshness,
): void => {
  const { twoFactorEnabled = false } = session.user;
  const isRequired = stepUp === "always" || (stepUp === "withSecondFactor" && twoFactorEnabled);
  const requires = isRequired ? missingProof(session, freshness) : undefined;
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
  const { caller, query, isShared } = asked;
  const found = await rules.resolveSession(caller, {
    disableRefresh: query["disableRefresh"] === "true",
    isShared,
  });
  if (!found) throw signedOutError(declared);
  if (isRefused(declared, asked, found)) throw new WireError("FORBIDDEN");
  if (declared.permission) {
    const { resource, action, refusal } = declared.permission;
    if (!hasPermissions(rules.admin, found.user, { [resource]: [action] }))
      throw new WireError(refusal);
  }
  const freshness = { now: rules.clock(), freshAgeSeconds: rules.freshAgeSeconds };
  if (declared.access === "fresh session" && isStale(found.session.updatedAt, freshness))
    throw new WireError("SESSION_IS_NOT_FRESH");
  requireStrongSession(declared, found, freshness);
  return found;
};
