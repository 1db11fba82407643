import {
  type Caller,
  type DeviceSessionChange,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { constantTimeEqual, hashToken } from "@latchkey/crypto";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Deps, Handler } from "../deps.ts";
import {
  type DeviceSession,
  findDeviceSessions,
  giveSlots,
  type HeldSession,
  onePerUser,
  releaseSlots,
  resolveDeviceSession,
} from "../sessions/device-sessions.ts";
import { deleteChallenge } from "../rows/challenges.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findGuestId, linkGuest } from "./link-guest.ts";
import { reissue } from "../sessions/session-rules.ts";
import type { FoundSession } from "../sessions/store/session-store.ts";

/** The part of a handle that identifies the session. The token cannot be derived from it, and only the browser's own cookies are compared. */
const handleHash = (token: string): string =>
  hashToken(`device session ${token}`).toString("base64url");

const handleOf = ({ slot, token }: Pick<DeviceSession, "slot" | "token">): string =>
  `${slot ?? "active"}.${handleHash(token)}`;

/** Returns the session that a handle or a token names, of those whose cookies the browser sent. */
const findNamed = ({ deviceSessions = [] }: Caller, name: string): DeviceSession => {
  const hash = name.slice(name.indexOf(".") + 1);
  const named = deviceSessions.find(
    ({ token }) => constantTimeEqual(token, name) || constantTimeEqual(handleHash(token), hash),
  );
  if (!named) throw new WireError("INVALID_SESSION_TOKEN");
  return named;
};

/**
 * Lists the users who are signed in in the caller's browser. An ended session shows nothing of its user: somebody with a copy of the cookie
 * would learn a later name and address. Writes no cookie, because a reply that arrives late would undo a switch.
 */
export const listDeviceSessions: Handler<"listDeviceSessions"> = async (deps, { caller }) => {
  const live = onePerUser(await findDeviceSessions(deps, caller));
  return {
    reply: live.map(({ session, user, slot }) => ({
      session: { ...session, token: handleOf({ slot, token: session.token }) },
      user,
    })),
  };
};

type SwitchNeeds = Pick<Deps, "clock" | "config" | "deviceSessionObserver" | "sessions">;

/** Makes a session the active one, unless it has ended meanwhile. The statement that records the switch decides. */
const switchTo = async (
  deps: SwitchNeeds,
  caller: Caller,
  next: HeldSession,
): Promise<Extract<SessionEffect, { kind: "issue" }> | undefined> => {
  const { id, userId, token } = next.session;
  const isRecorded = await deps.sessions.recordUse(
    { tokenHash: hashToken(token), userId },
    {
      actor: sessionActor(next),
      subject: { kind: "session", id },
      action: "session.switched",
      caller,
      after: { userId },
    },
  );
  if (!isRecorded) return undefined;
  deps.deviceSessionObserver.record("switched");
  return reissue(deps, next);
};

/** Switches to the first of the sessions that has not ended meanwhile. Without one, the browser holds none any more. */
const continueIn = async (
  deps: SwitchNeeds,
  caller: Caller,
  {
    remaining,
    changes: deviceSessions,
  }: { remaining: readonly HeldSession[]; changes: DeviceSessionChange[] },
): Promise<SessionEffect> => {
  for (const next of remaining) {
    const effect = await switchTo(deps, caller, next);
    if (effect) return { ...effect, deviceSessions };
  }
  return { kind: "clear", deviceSessions };
};

/** Returns the changes of the slots of a browser in which only some sessions are left. Empties those of the ended ones. */
const slotsAfter = (
  deps: Pick<Deps, "clock">,
  caller: Caller,
  { remaining, ended }: { remaining: readonly HeldSession[]; ended: readonly DeviceSession[] },
): DeviceSessionChange[] => {
  const { placed, changes } = giveSlots(deps, caller, remaining);
  const usedSlots = new Set(placed.map(({ slot }) => slot));
  const empty = new Set(ended.flatMap(({ slot }) => (slot === undefined ? [] : [slot])));
  return [
    ...changes,
    ...[...empty].filter((slot) => !usedSlots.has(slot)).map((slot) => ({ slot, session: null })),
  ];
};

/** Ends a session of the browser as its user would. Returns false if it had ended. */
const endSession = (
  deps: Pick<Deps, "sessions">,
  caller: Caller,
  { session, user }: Pick<HeldSession, "session" | "user">,
): Promise<boolean> =>
  deps.sessions.revoke(
    { tokenHash: hashToken(session.token), userId: user.id },
    {
      actor: { kind: "user", id: user.id },
      subject: { kind: "session", id: session.id },
      action: "session.signed-out",
      caller,
    },
  );

/** Makes another session of the browser the active one. It serves only what a request of that session would be served. */
export const setActiveDeviceSession: Handler<"setActiveDeviceSession"> = async (
  deps,
  { caller, body: { sessionToken } },
) => {
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.session.impersonatedBy) throw new WireError("FORBIDDEN");
  const next = await resolveDeviceSession(deps, caller, findNamed(caller, sessionToken));
  if (!next) throw new WireError("INVALID_SESSION_TOKEN");
  const { session, user } = next;
  if (session.id === current?.session.id) return { reply: { session, user } };
  const users = onePerUser([next, ...(await findDeviceSessions(deps, caller))]);
  const effect = await switchTo(deps, caller, next);
  if (!effect) throw new WireError("INVALID_SESSION_TOKEN");
  await linkGuest(deps, { user, guestId: await findGuestId(deps, caller), caller });
  const { changes } = giveSlots(deps, caller, users);
  return { reply: { session, user }, effect: { ...effect, deviceSessions: changes } };
};

/** Ends what else the browser holds of a user whose session has just ended. Returns the sessions of the others. */
const endRest = async (deps: Deps, caller: Caller, userId: string | undefined) => {
  const sessions = await findDeviceSessions(deps, caller);
  for (const session of sessions.filter(({ user }) => user.id === userId))
    await endSession(deps, caller, session);
  const remaining = onePerUser(sessions.filter(({ user }) => user.id !== userId));
  const { deviceSessions = [] } = caller;
  const liveTokens = new Set(remaining.map(({ session }) => session.token));
  const ended = deviceSessions.filter(
    (one) =>
      !liveTokens.has(one.token) &&
      (one.userId === undefined || one.userId === userId || one.token === caller.sessionToken),
  );
  await releaseSlots(deps, remaining);
  return { remaining, changes: slotsAfter(deps, caller, { remaining, ended }) };
};

/** Signs one user of the browser out. If that was the active one, the browser continues in the session of another. */
export const revokeDeviceSession: Handler<"revokeDeviceSession"> = async (
  deps,
  { caller, session: current, body: { sessionToken } },
) => {
  const named = await resolveDeviceSession(deps, caller, findNamed(caller, sessionToken));
  if (!named || !(await endSession(deps, caller, named)))
    throw new WireError("INVALID_SESSION_TOKEN");
  deps.deviceSessionObserver.record("ended");
  const rest = await endRest(deps, caller, named.user.id);
  const isActive = named.user.id === current.user.id;
  const effect = isActive
    ? await continueIn(deps, caller, rest)
    : ({ kind: "keep", keeps: {}, deviceSessions: rest.changes } as const);
  return { reply: { status: true }, effect };
};

/** Ends all sessions that the browser holds. Returns the effect. */
const leaveAll = async (deps: Deps, caller: Caller): Promise<SessionEffect> => {
  const { deviceSessions: ended = [] } = caller;
  for (const session of await findDeviceSessions(deps, caller)) {
    await endSession(deps, caller, session);
    deps.deviceSessionObserver.record("ended");
  }
  return { kind: "clear", deviceSessions: slotsAfter(deps, caller, { remaining: [], ended }) };
};

/**
 * Ends the session that the browser keeps aside, unless a user has signed in there since the impersonation. It could not be reached any
 * more. The impersonation may have expired already.
 */
const endParked = async (
  deps: Pick<Deps, "sessions">,
  caller: Caller,
  current: FoundSession | undefined,
) => {
  if (!caller.parkedSession) return;
  const parked = await deps.sessions.find(hashToken(caller.parkedSession.token));
  if (!parked || (current && !current.session.impersonatedBy)) return;
  await deps.sessions.revoke(parked.session, {
    actor: sessionActor(parked),
    subject: { kind: "session", id: parked.session.id },
    action: "session.signed-out",
    caller,
  });
};

/**
 * Ends the caller's session, or a sign-in that waits for its second factor, and clears the browser. Succeeds even if nothing was left to
 * end, so that a user whose session has expired can leave. With `challengeOnly` it ends only the sign-in, because
 * the caller may have sessions that must last. A browser that holds several users is left by all of them, or continues in the session of
 * another.
 */
export const signOut: Handler<"signOut"> = async (deps, { caller, query, body }) => {
  const waiting = caller.kept?.twoFactor;
  if (waiting !== undefined) await deleteChallenge(deps.db, hashToken(waiting));
  if (query.challengeOnly)
    return { reply: { success: true }, effect: { kind: "keep", keeps: { twoFactor: null } } };
  const { sessionToken } = caller;
  const currentSession =
    sessionToken === undefined ? undefined : await deps.sessions.find(hashToken(sessionToken));
  if (currentSession)
    await deps.sessions.revoke(currentSession.session, {
      actor: sessionActor(currentSession),
      subject: { kind: "session", id: currentSession.session.id },
      action: "session.signed-out",
      caller,
    });
  await endParked(deps, caller, currentSession);
  const reply = { success: true };
  if (!caller.deviceSessions) return { reply, effect: { kind: "clear" } };
  const effect =
    body?.scope === "current"
      ? await continueIn(deps, caller, await endRest(deps, caller, currentSession?.user.id))
      : await leaveAll(deps, caller);
  return { reply, effect };
};
