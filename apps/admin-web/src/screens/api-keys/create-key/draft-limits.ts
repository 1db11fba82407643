import type { KeyLimits } from "../../../components/api-keys/limits-in-words.ts";
import { readPermissions } from "../../../components/api-keys/permissions-text.ts";
import { type KeyForm, windowUnits } from "../../../components/api-keys/key-form.ts";

/** The installation's defaults for new keys. A member is undefined if it is unknown. */
export type KeyDefaults = Pick<KeyLimits, "rate" | "permissions"> & {
  /** Seconds. Null means no expiry. */
  readonly lifetime: number | null | undefined;
};

const dayMs = 86_400_000;

/** Parses a number. Returns null for an empty text and for one that is not a number (yet). */
const countOf = (text: string): number | null =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 ? Number(text) : null;

const rateOf = ({ rate, rateMax, rateWindow, rateUnit }: KeyForm, defaults: KeyDefaults) => {
  if (rate === "none") return null;
  const [max, window] = [countOf(rateMax), countOf(rateWindow)];
  if (rate === "default" || max === null || window === null) return defaults.rate;
  return { max, windowMs: window * windowUnits[rateUnit] };
};

const expiryOf = ({ expiresInDays }: KeyForm, { lifetime }: KeyDefaults, now: Date) => {
  const days = countOf(expiresInDays);
  const lasting = days === null ? lifetime : (days * dayMs) / 1000;
  return typeof lasting === "number" ? new Date(now.getTime() + lasting * 1000) : lasting;
};

/** Returns the limits of the key that the form would create now, also while it is incomplete. */
export const draftLimits = (form: KeyForm, defaults: KeyDefaults, now: Date): KeyLimits => {
  const [amount, days] = [countOf(form.refillAmount), countOf(form.refillDays)];
  const permissions = readPermissions(form.permissions) ?? {};
  return {
    remaining: countOf(form.remaining) ?? amount,
    refill: amount === null || days === null ? null : { amount, days },
    rate: rateOf(form, defaults),
    expiresAt: expiryOf(form, defaults, now),
    permissions: Object.keys(permissions).length > 0 ? permissions : defaults.permissions,
  };
};
