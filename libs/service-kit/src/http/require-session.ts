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

/** A session with its user, and what finding it did to the browser's session. */
export interface ResolvedSession {
  session: Session;
  user: FullUser;
  effect?: SessionEffect;
}

/** How sessions are found and what they allow. */
export interface SessionRules {
  clock: () => number;
  freshAgeSeconds: number;
  /** Finds the caller's session; undefined when there is none. */
  resolveSession: (
    caller: Caller,
    options: { disableRefresh: boolean },
  ) => Promise<ResolvedSession | undefined>;
  /** What roles of users allow, for the operations that ask for a permission. */
  admin: Options["admin"];
}

const signedOutError = ({ signedOut = "UNAUTHORIZED" }: Operation): WireError => {
  if (typeof signedOut === "string") return new WireError(signedOut);
  const [code, status] = signedOut;
  return new WireError(code, { status });
};

/** Whether an operation is closed to what the session came by: an impersonation, or an API key. */
const isRefused = (
  { refusesApiKeys, refusesImpersonators }: Operation,
  caller: Caller,
  { session }: ResolvedSession,
): boolean =>
  (refusesImpersonators === true && Boolean(session.impersonatedBy)) ||
  (refusesApiKeys === true && caller.apiKeyId !== undefined);

/**
 * The session that an operation asks for. Throws its refusal of who has none, then `FORBIDDEN`, the refusal of who lacks the
 * permission, and `SESSION_IS_NOT_FRESH`.
 */
export const requireSession = async (
  declared: Operation,
  rules: SessionRules,
  { caller, query }: { caller: Caller; query: Record<string, unknown> },
): Promise<ResolvedSession> => {
  const found = await rules.resolveSession(caller, {
    disableRefresh: query["disableRefresh"] === "true",
  });
  if (!found) throw signedOutError(declared);
  if (isRefused(declared, caller, found)) throw new WireError("FORBIDDEN");
  if (declared.permission) {
    const { resource, action, refusal } = declared.permission;
    if (!hasPermissions(rules.admin, found.user, { [resource]: [action] }))
      throw new WireError(refusal);
  }
  const freshness = { now: rules.clock(), freshAgeSeconds: rules.freshAgeSeconds };
  if (declared.access === "fresh session" && isStale(found.session.updatedAt, freshness))
    throw new WireError("SESSION_IS_NOT_FRESH");
  return found;
};
