import { type Caller, type KeptChanges, keptListSeparator, WireError } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  deleteTrustedDevice,
  insertTrustedDevice,
  rotateTrustedDevice,
  deleteTrustedDevices,
  listTrustedDeviceRows,
  trustedDevicesMax,
} from "../rows/trusted-devices.ts";
import { lockUser } from "../users/queries.ts";

const valueLength = 32;

/**
 * Users of one browser who trust it, each with a value. A browser of more users asks the one who has used it least recently.
 */
const slotsMax = 5;

/** One user's value in the cookie. A cookie of an earlier release has one value, which does not say whose it is. */
interface Slot {
  tag: string;
  value: string;
}

/** Names a user without showing the id to other users of the browser. */
const tagOf = (userId: string): string => hashToken(userId).toString("base64url").slice(0, 12);

const readSlots = ({ kept }: Pick<Caller, "kept">): Slot[] =>
  (kept?.trustedDevice ?? "")
    .split(keptListSeparator)
    .filter((slot) => slot !== "")
    .map((slot) => {
      const [value = "", tag = ""] = slot.split(".", 2).toReversed();
      return { tag, value };
    });

/** Returns the values that may be the user's. */
const slotsOf = (userId: string, caller: Pick<Caller, "kept">): Slot[] => {
  const tag = tagOf(userId);
  return readSlots(caller)
    .filter((slot) => slot.tag === tag || slot.tag === "")
    .slice(0, slotsMax);
};

/** Returns the hashes of the values that may be the user's. */
const trustedHashesOf = (userId: string, caller: Pick<Caller, "kept">): Buffer[] =>
  slotsOf(userId, caller).map(({ value }) => hashToken(value));

const lifetimeOf = ({ config }: Pick<Deps, "config">): number => config.twoFactor.trustDeviceMaxAge;

/** Replaces the user's value in the cookie, and leaves those of other users as they are. */
const replaceSlot = (
  deps: Pick<Deps, "config">,
  { userId, caller }: { userId: string; caller: Caller },
  next: { value: string; former: string | undefined } | undefined,
): KeptChanges => {
  const tag = tagOf(userId);
  const others = readSlots(caller).filter(
    (slot) => slot.tag !== tag && slot.value !== next?.former,
  );
  const slots = [...(next ? [{ tag, value: next.value }] : []), ...others].slice(0, slotsMax);
  if (slots.length === 0) return { trustedDevice: null };
  const value = slots
    .map((slot) => (slot.tag === "" ? slot.value : `${slot.tag}.${slot.value}`))
    .join(keptListSeparator);
  return { trustedDevice: { value, maxAgeSeconds: lifetimeOf(deps) } };
};

/** Ends the user's trust in what the caller's browser keeps. Undefined if it keeps none. */
export const forgetTrust = (
  deps: Pick<Deps, "config">,
  { userId, caller }: { userId: string; caller: Caller },
): KeptChanges | undefined => {
  const tag = tagOf(userId);
  return readSlots(caller).some((slot) => slot.tag === tag)
    ? replaceSlot(deps, { userId, caller }, undefined)
    : undefined;
};

/** Creates the next value of a browser, with its expiry. */
const newValue = (deps: Pick<Deps, "clock" | "config">, { address, userAgent }: Caller) => {
  const value = randomToken(valueLength, "urlSafe");
  return {
    value,
    row: {
      tokenHash: hashToken(value),
      expiresAt: new Date(deps.clock() + lifetimeOf(deps) * 1000),
      ipAddress: address,
      userAgent,
    },
  };
};

/**
 * Trusts the caller's browser, in the transaction in which it has passed the second factor. Returns the change of what it keeps. Does
 * nothing if the options trust no browser.
 */
export const trustDevice = async (
  deps: Pick<Deps, "clock" | "config" | "newEventId">,
  trx: Kysely<Tables>,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<KeptChanges | undefined> => {
  if (lifetimeOf(deps) === 0) return undefined;
  const now = new Date(deps.clock());
  let former: string | undefined;
  for (const { value } of slotsOf(userId, caller))
    if (await deleteTrustedDevice(trx, { userId, tokenHash: hashToken(value) })) former = value;
  const { row, value } = newValue(deps, caller);
  const id = deps.newEventId();
  const times = { passedAt: now, createdAt: now, lastUsedAt: now };
  await insertTrustedDevice(trx, { ...row, ...times, id, userId });
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "trusted-device.added",
    caller,
    after: { id },
  });
  return replaceSlot(deps, { userId, caller }, { value, former });
};

/**
 * Uses the trust in the caller's browser and replaces its value. Concurrent sign-ins of the browser use the replaced value too, and leave
 * the cookie to the one that replaced it. Returns undefined if the browser is not trusted for this user.
 */
export const useTrustedDevice = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<{ passedAt: Date; keeps: KeptChanges } | undefined> => {
  if (lifetimeOf(deps) === 0) return undefined;
  const now = new Date(deps.clock());
  for (const { value: former } of slotsOf(userId, caller)) {
    const { row, value } = newValue(deps, caller);
    const tokenHash = hashToken(former);
    const use = await rotateTrustedDevice(deps.db, { userId, tokenHash, now, next: row });
    if (!use) continue;
    const { passedAt, isRotated } = use;
    return {
      passedAt,
      keeps: isRotated ? replaceSlot(deps, { userId, caller }, { value, former }) : {},
    };
  }
  return undefined;
};

/** Lists the browsers in which the caller needs no second factor. */
export const listTrustedDevices: Handler<"listTrustedDevices"> = async (
  { clock, db },
  { caller, session },
) => {
  const own = trustedHashesOf(session.user.id, caller);
  const rows = await listTrustedDeviceRows(db, {
    userId: session.user.id,
    now: new Date(clock()),
    limit: trustedDevicesMax,
  });
  return {
    reply: rows.map(({ tokenHash, ...device }) =>
      Object.assign(device, { current: own.some((hash) => tokenHash.equals(hash)) }),
    ),
  };
};

/** Ends the trust in one of the caller's browsers. */
export const revokeTrustedDevice: Handler<"revokeTrustedDevice"> = async (
  deps,
  { body: { id }, caller, session },
) => {
  const { id: userId } = session.user;
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteTrustedDevice(trx, { userId, id })))
      throw new WireError("TRUSTED_DEVICE_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "trusted-device.removed",
      caller,
      before: { id },
    });
  });
  return { reply: { status: true } };
};

/** Ends the trust in all of the caller's browsers. */
export const revokeTrustedDevices: Handler<"revokeTrustedDevices"> = async (
  deps,
  { caller, session },
) => {
  const { id: userId } = session.user;
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId); // other deletions of several rows lock the user too
    const count = await deleteTrustedDevices(trx, userId);
    if (count === 0) return;
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "trusted-device.removed",
      caller,
      before: { count },
    });
  });
  return { reply: { status: true } };
};
