import type { Caller, FullUser, Session, SessionEffect } from "@latchkey/contracts";
import { hashToken, randomToken, seal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "../fields/field-set.ts";
import { findUser } from "../users/find-user.ts";
import { liftExpiredBan, refuseBanned } from "../users/lift-expired-ban.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import type { UserRow } from "../users/user-row.ts";
import { isBanned } from "../users/user-rules.ts";
import { cachedSession } from "./cached-session.ts";
import { secondsLeft } from "./session-rules.ts";
import type { StoredSession } from "./session-store.ts";

/** Lifetime of a session that is not remembered, in seconds. */
const unrememberedSeconds = 86_400;
const tokenLength = 32;

/** The purpose under which session tokens are sealed. */
export const sessionTokenPurpose = "session token";

export interface NewSession {
  token: string;
  session: Session;
  user: FullUser;
  effect: Extract<SessionEffect, { kind: "issue" }>;
}

/** What it works with. */
export type CreateSessionNeeds = Pick<
  Deps,
  | "activity"
  | "clock"
  | "config"
  | "db"
  | "epochNotes"
  | "fields"
  | "logger"
  | "newEventId"
  | "newId"
  | "ring"
  | "sessions"
  | "showSession"
  | "showUser"
  | "wakeRelay"
>;

export interface SessionStart {
  caller: Caller;
  /** One that is not remembered lives a day and ends with the browser. */
  remember: boolean;
  /** Asked once the session has started: false ends it, because what it was granted for holds no more. */
  isStillGranted?: (() => Promise<boolean>) | undefined;
  /** It takes the place of sessions that end, so nobody signs in. */
  replacesOthers?: boolean;
  /** The admin who impersonates the user, and for how long. */
  impersonation?: { adminId: string; seconds: number };
}

/**
 * What happened to a user since it was read has reached every session but one that was being started: brings that one up
 * to date, or ends it when the user may have none any more. False when it was ended.
 */
const catchUp = async (
  deps: CreateSessionNeeds,
  session: StoredSession,
  { user, caller, isStillGranted }: { user: UserRow } & SessionStart,
): Promise<boolean> => {
  const current = deps.sessions.copiesUser ? await findUser(deps, { id: user.id }) : user;
  if (current && current.revision > user.revision) await deps.sessions.renewUser(current);
  const mayLive = current !== undefined && !isBanned(current, deps.clock());
  if (mayLive && ((await isStillGranted?.()) ?? true)) return true;
  await deps.sessions.revoke(session, {
    actor: { kind: "system" },
    subject: { kind: "session", id: session.id },
    action: "session.revoked",
    caller,
  });
  return false;
};

/** From when on, in milliseconds since the epoch, and for how long. */
interface Lifetime {
  now: number;
  lifetimeSeconds: number;
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

const propose = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  { caller, impersonation, lifetimeSeconds, now }: SessionStart & Lifetime,
): Promise<Omit<StoredSession, "tokenHash" | "tokenSealed"> | undefined> => {
  const members = {
    id: await deps.newId("session"),
    userId: user.id,
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ipAddress: caller.address,
    userAgent: caller.userAgent,
    activeOrganizationId: null as string | null,
  };
  const extra = await deps.fields.session.defaults();
  const hooks = deps.config.databaseHooks.session.create;
  const row = { ...members, ...extra };
  const allowed = await applyCreateHook(deps, hooks, { model: "session", row });
  if (!allowed) return undefined;
  const given = allowed as typeof members & FieldValues;
  return {
    id: members.id,
    userId: user.id, // a hook may not hand the session to somebody else
    // An impersonation may be made shorter, never longer.
    expiresAt: impersonation ? earlier(given.expiresAt, members.expiresAt) : given.expiresAt,
    createdAt: given.createdAt,
    updatedAt: given.updatedAt,
    ipAddress: given.ipAddress,
    userAgent: given.userAgent,
    impersonatedBy: impersonation?.adminId ?? null,
    activeOrganizationId: given.activeOrganizationId || null,
    extra: Object.fromEntries(Object.keys(extra).map((name) => [name, given[name] ?? null])),
  };
};

/**
 * Starts a session for a user; undefined when the application's hook vetoes it or the user is gone. Throws `BANNED_USER`
 * for one who is banned.
 */
export const createSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  start: SessionStart,
): Promise<NewSession | undefined> => {
  const { caller, remember, impersonation } = start;
  const holder = await liftExpiredBan(deps, user, caller);
  const lifetimeSeconds =
    impersonation?.seconds ?? (remember ? deps.config.session.expiresIn : unrememberedSeconds);
  const now = deps.clock();
  const proposed = await propose(deps, holder, { ...start, lifetimeSeconds, now });
  if (!proposed) return undefined;
  const token = randomToken(tokenLength, "alphanumeric");
  const session: StoredSession = {
    ...proposed,
    tokenHash: hashToken(token),
    tokenSealed: seal(deps.ring, sessionTokenPurpose, token),
  };
  const isStarted = await deps.sessions.insert(session, holder, {
    actor: { kind: "user", id: impersonation?.adminId ?? holder.id },
    subject: { kind: "session", id: session.id },
    action: impersonation ? "session.impersonated" : "session.created",
    caller,
    after: { userId: holder.id, expiresAt: session.expiresAt, remembered: remember },
  });
  const lives = isStarted && (await catchUp(deps, session, { ...start, user: holder }));
  if (!lives) {
    const current = await findUser(deps, { id: holder.id });
    if (current) refuseBanned(deps, current); // the ban came while the session was being started
    return undefined;
  }
  if (!impersonation && !start.replacesOthers) deps.activity.noteSignIn(holder.id);
  await deps.config.databaseHooks.session.create.after?.(proposed);
  const shown = { session: deps.showSession(session, token), user: deps.showUser(holder) };
  const maxAgeSeconds = remember ? secondsLeft(session.expiresAt, now) : null;
  const cached = cachedSession(deps, shown, holder.revision);
  return { ...shown, token, effect: { kind: "issue", token, maxAgeSeconds, ...cached } };
};
