import type { Caller, FullUser, Session, SessionEffect } from "@latchkey/contracts";
import { hashToken, randomToken, seal } from "@latchkey/crypto";
import {
  initialOf,
  namesOf,
  picker,
  type RowOf,
  withoutColumns,
} from "@latchkey/service-kit/database";
import { sessionColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import { findUser } from "../users/find-users.ts";
import { liftExpiredBan, refuseBanned } from "../users/lift-expired-ban.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import { type UserRow, isBanned } from "../users/user-row.ts";
import { type Proof, proofColumns } from "./authentication.ts";
import { fillSlot, slotChangesFor, loginMethodOf, takeSlot } from "./device-sessions.ts";
import { rememberSignInBrowser } from "./known-browsers.ts";
import { cachedSession, secondsLeft, sessionTokenPurpose } from "./session-rules.ts";

import type { StoredSession } from "./store/session-store.ts";

/** Lifetime of an unremembered session, in seconds. */
export const unrememberedSeconds = 86_400;
const tokenLength = 32;

export interface NewSession {
  token: string;
  session: Session;
  user: FullUser;
  effect: Extract<SessionEffect, { kind: "issue" }>;
}

export type CreateSessionNeeds = Pick<
  Deps,
  | "activity"
  | "clock"
  | "config"
  | "db"
  | "deviceSessionObserver"
  | "limits"
  | "revisionRecords"
  | "fields"
  | "logger"
  | "newEventId"
  | "newId"
  | "ring"
  | "sessions"
  | "settleEvent"
  | "showSession"
  | "showUser"
  | "urgentEvents"
  | "wakeRelay"
>;

export interface SessionStart {
  caller: Caller;
  proof: Proof;
  /** False for a session that lasts one day, is never extended and ends with the browser. */
  remember: boolean;
  /** Called once the session has started. False ends it, because its authorization is no longer valid. */
  isStillGranted?: (() => Promise<boolean>) | undefined;
  /** Replaces sessions that end, so it does not count as a sign-in. */
  replacesOthers?: boolean;
  /** The session of the same user that this one replaces. Does not count as a sign-in either. */
  replaces?: StoredSession;
  /** The admin who impersonates the user, the duration, and the admin's reason. */
  impersonation?: { adminId: string; seconds: number; reason?: string | undefined };
}

/**
 * Changes of a user update or end existing sessions, but miss one that is being started. Updates this one, or ends it if
 * the user may not have a session any more. Returns false if it was ended.
 */
const catchUp = async (
  deps: CreateSessionNeeds,
  session: StoredSession,
  { user, caller, isStillGranted }: { user: UserRow } & SessionStart,
): Promise<boolean> => {
  const current = deps.sessions.storesUserSnapshots ? await findUser(deps, { id: user.id }) : user;
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

/** The start in milliseconds since the epoch, and the duration. */
interface Lifetime {
  now: number;
  lifetimeSeconds: number;
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

/** The columns that the application's hook may set. */
const proposedColumns = withoutColumns(
  sessionColumns,
  "tokenHash",
  "tokenSealed",
  "impersonatedBy",
  "impersonationReason",
  "remembered",
  "authenticatedAt",
  "secondFactorAt",
  "methods",
  "extra",
);
type ProposedRow = RowOf<typeof proposedColumns>;
const pickProposed = picker<ProposedRow>(namesOf(proposedColumns));

const propose = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  {
    caller,
    proof,
    remember,
    impersonation,
    replaces,
    lifetimeSeconds,
    now,
  }: SessionStart & Lifetime,
): Promise<Omit<StoredSession, "tokenHash" | "tokenSealed"> | undefined> => {
  const members: ProposedRow = {
    ...initialOf(proposedColumns),
    id: await deps.newId("session"),
    userId: user.id,
    expiresAt: replaces?.expiresAt ?? new Date(now + lifetimeSeconds * 1000),
    activeOrganizationId: replaces?.activeOrganizationId ?? null,
    activeTeamId: replaces?.activeTeamId ?? null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ipAddress: caller.address,
    userAgent: caller.userAgent,
  };
  const extra = replaces?.extra ?? (await deps.fields.session.defaults());
  const hooks = deps.config.databaseHooks.session.create;
  const row = { ...members, ...extra };
  const allowed = await applyCreateHook(deps, hooks, { model: "session", row });
  if (!allowed) return undefined;
  const proposedRow = allowed as ProposedRow & FieldValues;
  return {
    ...pickProposed(proposedRow),
    id: members.id,
    userId: user.id, // a hook may not assign the session to another user
    // A hook may shorten an impersonation or a replacement, but not extend it.
    expiresAt:
      impersonation || replaces
        ? earlier(proposedRow.expiresAt, members.expiresAt)
        : proposedRow.expiresAt,
    impersonatedBy: impersonation?.adminId ?? null,
    impersonationReason: impersonation?.reason ?? null,
    activeOrganizationId: proposedRow.activeOrganizationId || null,
    activeTeamId: (proposedRow.activeOrganizationId && proposedRow.activeTeamId) || null,
    remembered: remember,
    ...proofColumns(proof, new Date(now)),
    extra: Object.fromEntries(Object.keys(extra).map((name) => [name, proposedRow[name] ?? null])),
  };
};

/**
 * Ends the impersonation that the browser holds, unless its admin starts the session. Returns whether it is over. The new session may not
 * be kept aside as that of the admin.
 */
export const endImpersonationByOther = async (
  deps: Pick<CreateSessionNeeds, "sessions">,
  userId: string,
  caller: Caller,
): Promise<boolean> => {
  const { impersonationToken } = caller;
  if (impersonationToken === undefined) return false;
  const impersonation = await deps.sessions.find(hashToken(impersonationToken));
  if (!impersonation) return true;
  if (impersonation.session.impersonatedBy === userId) return false;
  await deps.sessions.revoke(impersonation.session, {
    actor: { kind: "user", id: userId },
    subject: { kind: "session", id: impersonation.session.id },
    action: "session.impersonation-ended",
    caller,
  });
  return true;
};

/** Records a sign-in. Returns what the browser remembers of it. */
const rememberSignIn = async (
  deps: CreateSessionNeeds,
  { user, session, start }: { user: UserRow; session: StoredSession; start: SessionStart },
): Promise<Pick<NewSession["effect"], "keeps" | "signedInBy">> => {
  const { caller, proof, remember } = start;
  const { ipAddress, userAgent } = session;
  const keeps = await rememberSignInBrowser(deps, { user, caller, remember });
  deps.activity.recordSignIn(user.id, proof.methods, { ipAddress, userAgent });
  const signedInBy = loginMethodOf(deps, caller, proof.methods);
  return { ...(keeps ? { keeps } : {}), ...(signedInBy === undefined ? {} : { signedInBy }) };
};

/**
 * Starts a session for a user. Returns undefined if the application's hook vetoes it or the user was deleted. Throws
 * `BANNED_USER` for a banned user, and `TOO_MANY_SESSIONS` if the browser holds those of too many others.
 */
export const createSession = async (
  deps: CreateSessionNeeds,
  user: UserRow,
  start: SessionStart,
): Promise<NewSession | undefined> => {
  const { caller, remember, impersonation } = start;
  const holder = await liftExpiredBan(deps, user, caller);
  const isSignIn =
    !impersonation && !start.replacesOthers && !start.replaces && !holder.isAnonymous;
  const claim = isSignIn ? await takeSlot(deps, caller, holder.id) : undefined;
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
    after: {
      userId: holder.id,
      expiresAt: session.expiresAt,
      remembered: remember,
      ...(impersonation?.reason ? { reason: impersonation.reason } : {}),
    },
  });
  const lives = isStarted && (await catchUp(deps, session, { ...start, user: holder }));
  if (!lives) {
    const current = await findUser(deps, { id: holder.id });
    if (current) refuseBanned(deps, current); // the user was banned while the session was being started
    return undefined;
  }
  const remembered = isSignIn && (await rememberSignIn(deps, { user: holder, session, start }));
  await deps.config.databaseHooks.session.create.after?.(proposed);
  const shown = { session: deps.showSession(session, token), user: deps.showUser(holder) };
  const maxAgeSeconds = remember ? secondsLeft(session.expiresAt, now) : null;
  const started = { ...shown, remembered: remember };
  const deviceSessions = holder.isAnonymous
    ? await slotChangesFor(deps, caller)
    : claim && (await fillSlot(deps, caller, { claim, started }));
  const effect = {
    kind: "issue",
    token,
    maxAgeSeconds,
    ...((await endImpersonationByOther(deps, holder.id, caller)) ? { unparks: true } : {}),
    ...cachedSession(deps, shown, holder.revision),
    ...remembered,
    ...(deviceSessions ? { deviceSessions } : {}),
  } as const;
  return { ...shown, token, effect };
};
