import type { Caller, KeptChanges } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  deleteTrustedDevice,
  insertTrustedDevice,
  rotateTrustedDevice,
} from "./trusted-device-queries.ts";

const valueLength = 32;

const lifetimeOf = ({ config }: Pick<Deps, "config">): number => config.twoFactor.trustDeviceMaxAge;

/** Creates the next value of a browser, with its expiry. */
const newValue = (deps: Pick<Deps, "clock" | "config">, { address, userAgent }: Caller) => {
  const value = randomToken(valueLength, "urlSafe");
  return {
    row: {
      tokenHash: hashToken(value),
      expiresAt: new Date(deps.clock() + lifetimeOf(deps) * 1000),
      ipAddress: address,
      userAgent,
    },
    keeps: { trustedDevice: { value, maxAgeSeconds: lifetimeOf(deps) } } satisfies KeptChanges,
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
  const former = caller.kept?.trustedDevice;
  if (former !== undefined)
    await deleteTrustedDevice(trx, { userId, tokenHash: hashToken(former) });
  const { row, keeps } = newValue(deps, caller);
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
  return keeps;
};

/**
 * Uses the trust in the caller's browser and replaces its value. Returns undefined if the browser is not trusted for this user, or if a
 * concurrent sign-in has used the same value.
 */
export const useTrustedDevice = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<{ passedAt: Date; keeps: KeptChanges } | undefined> => {
  const value = caller.kept?.trustedDevice;
  if (value === undefined || lifetimeOf(deps) === 0) return undefined;
  const now = new Date(deps.clock());
  const { row, keeps } = newValue(deps, caller);
  const tokenHash = hashToken(value);
  const passedAt = await rotateTrustedDevice(deps.db, { userId, tokenHash, now, next: row });
  return passedAt && { passedAt, keeps };
};
