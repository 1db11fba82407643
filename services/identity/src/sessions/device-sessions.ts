import {
  type AuthenticationMethod,
  type Caller,
  deviceSlotsMax,
  type DeviceSessionChange,
  operations,
  WireError,
} from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { type LiveSession, secondsLeft } from "./session-rules.ts";

export type DeviceSession = NonNullable<Caller["deviceSessions"]>[number];

/** A live session that the browser holds beside others. */
export interface HeldSession extends LiveSession {
  /** Undefined if no slot has it yet. */
  slot: number | undefined;
}

/**
 * Returns the session of a cookie, if a request of that session would be served. An impersonation has no slot, nor has a guest: it ends when
 * its browser continues as a user.
 */
export const resolveDeviceSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  { slot, token, browserSession }: DeviceSession,
): Promise<HeldSession | undefined> => {
  const holder = { ...caller, sessionToken: token, browserSession };
  const live = await resolveSession(deps, holder, { disableRefresh: true });
  const isUser = live && !live.session.impersonatedBy && !live.user.isAnonymous;
  return isUser ? { ...live, slot } : undefined;
};

/** Returns the live sessions that the browser holds, the active one first. A user may have several, from requests at the same time. */
export const findDeviceSessions = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
): Promise<HeldSession[]> => {
  const resolved = await Promise.all(
    (caller.deviceSessions ?? []).map((one) => resolveDeviceSession(deps, caller, one)),
  );
  return resolved.filter((session) => session !== undefined);
};

/** Returns the first session of each user. */
export const onePerUser = (sessions: readonly HeldSession[]): HeldSession[] => {
  const seen = new Set<string>();
  return sessions.filter(({ user }) => !seen.has(user.id) && seen.add(user.id));
};

const allSlots = Array.from({ length: deviceSlotsMax }, (_, slot) => slot);

/** Returns the slots that hold none of the sessions, those that the browser left empty first. */
const freeSlots = (caller: Caller, sessions: readonly HeldSession[]): number[] => {
  const usedSlots = new Set(sessions.map(({ slot }) => slot));
  const sent = new Set(caller.deviceSessions?.map(({ slot }) => slot));
  return allSlots
    .filter((slot) => !usedSlots.has(slot))
    .toSorted((one, other) => Number(sent.has(one)) - Number(sent.has(other)));
};

/** Returns the change that stores a session in a slot. */
const slotChange = (
  { clock }: Pick<Deps, "clock">,
  { session, remembered }: Pick<LiveSession, "remembered" | "session">,
  slot: number,
): DeviceSessionChange => ({
  slot,
  session: {
    token: session.token,
    userId: session.userId,
    maxAgeSeconds: remembered ? secondsLeft(session.expiresAt, clock()) : null,
  },
});

/** Returns the changes that give slots to sessions without one, such as that of a sign-in before the option was on. Two never share one. */
export const giveSlots = (
  deps: Pick<Deps, "clock">,
  caller: Caller,
  sessions: readonly HeldSession[],
): { placed: (HeldSession & { slot: number })[]; changes: DeviceSessionChange[] } => {
  const free = freeSlots(caller, sessions);
  const usedSlots = new Set<number>();
  const changes: DeviceSessionChange[] = [];
  const placed = sessions.map((session) => {
    const presentSlot =
      session.slot !== undefined && !usedSlots.has(session.slot) ? session.slot : undefined;
    const slot = presentSlot ?? free.shift() ?? deviceSlotsMax - 1; // never more sessions than slots
    usedSlots.add(slot);
    if (presentSlot === undefined) changes.push(slotChange(deps, session, slot));
    return { ...session, slot };
  });
  return { placed, changes };
};

export type FindPlaceNeeds = ResolveSessionNeeds & Pick<Deps, "deviceSessionObserver">;
type TakeSlotNeeds = FindPlaceNeeds & Pick<Deps, "limits">;

/** The browser's place for a user who signs in. */
export interface Place {
  /** Sessions of the same user, which end with the sign-in. */
  formers: HeldSession[];
  others: HeldSession[];
}

/**
 * Returns the browser's place for a user, or undefined if the browser does not hold several sessions. Throws `TOO_MANY_SESSIONS` if it holds
 * those of too many others. `userId` is undefined for somebody who is not registered yet.
 */
export const findPlace = async (
  deps: FindPlaceNeeds,
  caller: Caller,
  userId: string | undefined,
): Promise<Place | undefined> => {
  if (!caller.deviceSessions) return undefined;
  const sessions = await findDeviceSessions(deps, caller);
  const others = onePerUser(sessions.filter(({ user }) => user.id !== userId));
  if (others.length >= deps.config.multiSession.maximumSessions) refuse(deps);
  return { others, formers: sessions.filter(({ user }) => user.id === userId) };
};

const refuse = ({ deviceSessionObserver }: Pick<Deps, "deviceSessionObserver">): never => {
  deviceSessionObserver.record("refused");
  throw new WireError("TOO_MANY_SESSIONS");
};

/** Returns the changes by which the users of a browser keep their slots beside a guest, who takes the active session. */
export const slotChangesFor = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
): Promise<DeviceSessionChange[] | undefined> =>
  caller.deviceSessions &&
  giveSlots(deps, caller, onePerUser(await findDeviceSessions(deps, caller))).changes;

/** Identifies what a browser holds. Concurrent sign-ins of one browser send the same sessions. */
const stateOf = (sessions: readonly HeldSession[]): string =>
  sessions
    .map(({ session }) => hashToken(session.token).toString("base64url"))
    .toSorted()
    .join(" ");

/** A slot that a sign-in has taken, and the changes of the others. */
export interface SlotClaim {
  slot: number;
  formers: readonly HeldSession[];
  changes: DeviceSessionChange[];
}

/**
 * Takes a slot before the session exists. One statement counts concurrent sign-ins of the same browser. So only
 * as many succeed as there are free slots, and each gets its own. Throws `TOO_MANY_SESSIONS`.
 */
export const takeSlot = async (
  deps: TakeSlotNeeds,
  caller: Caller,
  userId: string,
): Promise<SlotClaim | undefined> => {
  const place = await findPlace(deps, caller, userId);
  if (!place) return undefined;
  const { others, formers } = place;
  const { placed, changes } = giveSlots(deps, caller, others);
  const own = formers.find(({ slot }) => slot !== undefined)?.slot;
  const unused = formers
    .filter(({ slot }) => slot !== undefined && slot !== own)
    .map(({ slot = 0 }) => ({ slot, session: null }));
  const cleared = unused.filter(({ slot }) => !placed.some((one) => one.slot === slot));
  if (own !== undefined && !placed.some(({ slot }) => slot === own))
    return { slot: own, formers, changes: [...changes, ...cleared] };
  const freeCount = deps.config.multiSession.maximumSessions - others.length;
  const ordinal =
    others.length === 0 ? 1 : await deps.limits.takeSlot(deps.db, stateOf(others), freeCount);
  const slot = ordinal === undefined ? undefined : freeSlots(caller, placed)[ordinal - 1];
  if (slot === undefined) return refuse(deps);
  return { slot, formers, changes: [...changes, ...cleared] };
};

/** Lets the slots of a browser be taken again, after one of its users has left. */
export const releaseSlots = (
  { db, limits }: Pick<Deps, "db" | "limits">,
  remaining: readonly HeldSession[],
): Promise<void> => limits.releaseSlots(db, stateOf(remaining));

/** Ends the former sessions of a user who has signed in again in the same browser. Returns all changes of its slots. */
export const fillSlot = async (
  deps: FindPlaceNeeds,
  caller: Caller,
  { claim, started }: { claim: SlotClaim; started: Pick<LiveSession, "remembered" | "session"> },
): Promise<DeviceSessionChange[]> => {
  const { slot, formers, changes } = claim;
  for (const { session } of formers)
    if (session.token !== started.session.token)
      await deps.sessions.revoke(
        { tokenHash: hashToken(session.token), userId: session.userId },
        {
          actor: { kind: "user", id: session.userId },
          subject: { kind: "session", id: session.id },
          action: "session.replaced",
          caller,
        },
      );
  deps.deviceSessionObserver.record("added");
  return [...changes, slotChange(deps, started, slot)];
};

/** The operations whose links and codes prove an address, and are no way in that a page offers. */
const verifications: ReadonlySet<string> = new Set(
  (["verifyEmail", "verifyEmailPost", "verifyEmailOtp"] as const).map(
    (name) => operations.identity[name].name,
  ),
);

/** How a password came, by operation. */
const passwordMethods: Readonly<Record<string, string>> = {
  [operations.identity.signInUsername.name]: "username",
  [operations.identity.signInPhoneNumber.name]: "phone-number",
};

/**
 * Returns the name of a way to sign in as clients know it, or undefined if it is not known or shown. The first step of a sign-in names it, as a
 * second one does not know whether the password came with an address or a username.
 */
export const loginMethodOf = (
  { config }: Pick<Deps, "config">,
  { operation }: Pick<Caller, "operation">,
  [method, second]: readonly AuthenticationMethod[],
): string | undefined => {
  const isFirstStep = second === undefined || second === "trusted-device";
  if (!config.lastLoginMethod.enabled || !isFirstStep || verifications.has(operation))
    return undefined;
  if (method === "password") return passwordMethods[operation] ?? "email";
  if (method === "sms-otp") return "phone-number";
  return method?.startsWith("social:") ? method.slice("social:".length) : method;
};
