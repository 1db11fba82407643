import { type Caller, type KeptChanges, WireError } from "@latchkey/contracts";
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
import { hasSlot, replaceSlot, type SlotOwner, slotValuesOf } from "../sessions/browser-slots.ts";
import { lockUser } from "../users/queries.ts";

const valueLength = 32;

/** The caller's slots of browsers that users trust. A browser of more users asks the one whose slot was taken. */
const slotOf = (userId: string, caller: Pick<Caller, "kept">): SlotOwner => ({
  name: "trustedDevice",
  userId,
  caller,
});

/** Returns the hashes of the values that may be the user's. */
const trustedHashesOf = (userId: string, caller: Pick<Caller, "kept">): Buffer[] =>
  slotValuesOf(slotOf(userId, caller)).map((value) => hashToken(value));

const lifetimeOf = ({ config }: Pick<Deps, "config">): number => config.twoFactor.trustDeviceMaxAge;

/** Replaces the user's value in the cookie, and leaves those of other users as they are. */
const changeSlot = (
  deps: Pick<Deps, "config">,
  { userId, caller }: { userId: string; caller: Caller },
  next: { value: string; former: string | undefined } | undefined,
): KeptChanges => {
  const value = replaceSlot(slotOf(userId, caller), next);
  return {
    trustedDevice: value === null ? null : { value, maxAgeSeconds: lifetimeOf(deps) },
  };
};

/** Ends the user's trust in what the caller's browser keeps. Undefined if it keeps none. */
export const forgetTrust = (
  deps: Pick<Deps, "config">,
  { userId, caller }: { userId: string; caller: Caller },
): KeptChanges | undefined =>
  hasSlot(slotOf(userId, caller)) ? changeSlot(deps, { userId, caller }, undefined) : undefined;

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
  for (const value of slotValuesOf(slotOf(userId, caller)))
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
  return changeSlot(deps, { userId, caller }, { value, former });
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
  for (const former of slotValuesOf(slotOf(userId, caller))) {
    const { row, value } = newValue(deps, caller);
    const tokenHash = hashToken(former);
    const use = await rotateTrustedDevice(deps.db, { userId, tokenHash, now, next: row });
    if (!use) continue;
    const { passedAt, isRotated } = use;
    return {
      passedAt,
      keeps: isRotated ? changeSlot(deps, { userId, caller }, { value, former }) : {},
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
