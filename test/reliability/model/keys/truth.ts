import type { Step, Truth } from "../explain.ts";

/** A key as its owner sees it. Times are in milliseconds since the start. */
export interface Key {
  enabled: boolean;
  remaining: number | null;
  /** Refilled every day. */
  refillAmount: number | null;
  refilledAt: number;
  expiresAt: number | null;
  /** Maximum number of uses within an hour. Null is unlimited. */
  rateMax: number | null;
  requestCount: number;
  usedAt: number | null;
}

export interface KeysState {
  now: number;
  keys: Record<string, Key>;
}

export type KeyCall =
  | { kind: "create"; key: string; limits: Limits }
  | { kind: "verify"; key: string }
  | { kind: "set-remaining"; key: string; remaining: number }
  | { kind: "set-rate"; key: string; rateMax: number }
  | { kind: "enable"; key: string; enabled: boolean }
  | { kind: "expire"; key: string; days: number | null }
  | { kind: "delete"; key: string };

/** Settings by a service for a new key. */
export interface Limits {
  remaining: number | null;
  refillAmount: number | null;
  rateMax: number | null;
  days: number | null;
}

export const hour = 3_600_000;
export const day = 24 * hour;

const isExpired = ({ now }: KeysState, { expiresAt }: Key): boolean =>
  expiresAt !== null && expiresAt < now;

/** Whether a key can never be used again. */
const isSpent = (state: KeysState, key: Key): boolean =>
  isExpired(state, key) || (key.remaining === 0 && key.refillAmount === null);

const takeUse = ({ now }: KeysState, key: Key): string => {
  const isRefilled = key.refillAmount !== null && key.refilledAt + day < now;
  const usable = isRefilled ? key.refillAmount : key.remaining;
  if (usable === 0) return "200 USAGE_EXCEEDED";
  if (key.rateMax !== null) {
    const isWindowOver = key.usedAt === null || key.usedAt + hour < now;
    const count = isWindowOver ? 0 : key.requestCount;
    if (count >= key.rateMax) return "200 RATE_LIMITED";
    key.requestCount = count + 1;
  }
  key.usedAt = now;
  key.remaining = usable === null ? null : usable - 1;
  if (isRefilled) key.refilledAt = now;
  return `200 valid ${key.remaining} ${key.requestCount}`;
};

const judge = (state: KeysState, name: string): string => {
  const key = state.keys[name];
  if (!key) return "200 INVALID_API_KEY";
  if (!key.enabled) return "200 KEY_DISABLED";
  if (isExpired(state, key)) return "200 KEY_EXPIRED";
  return takeUse(state, key);
};

/** The caller that finds a key spent deletes it, unless it gets more uses meanwhile. */
const verify = (state: KeysState, name: string, memory: unknown): Step => {
  if (typeof memory === "string") {
    const key = state.keys[name];
    if (key && isSpent(state, key)) delete state.keys[name];
    return { reply: memory };
  }
  const reply = judge(state, name);
  const mayRetire = reply === "200 USAGE_EXCEEDED" || reply === "200 KEY_EXPIRED";
  return mayRetire ? { memory: reply } : { reply };
};

const create = (state: KeysState, name: string, limits: Limits): Step => {
  const { remaining, refillAmount, rateMax, days } = limits;
  state.keys[name] = {
    enabled: true,
    remaining: remaining ?? refillAmount,
    refillAmount,
    refilledAt: state.now,
    expiresAt: days === null ? null : state.now + days * day,
    rateMax,
    requestCount: 0,
    usedAt: null,
  };
  return { reply: "200" };
};

const change = (state: KeysState, call: Exclude<KeyCall, { kind: "create" | "verify" }>): Step => {
  const key = state.keys[call.key];
  if (!key) return { reply: "404 API_KEY_NOT_FOUND" };
  if (call.kind === "set-remaining") key.remaining = call.remaining;
  if (call.kind === "set-rate") key.rateMax = call.rateMax;
  if (call.kind === "enable") key.enabled = call.enabled;
  if (call.kind === "expire")
    key.expiresAt = call.days === null ? null : state.now + call.days * day;
  if (call.kind === "delete") delete state.keys[call.key];
  return { reply: "200" };
};

export const keysTruth: Truth<KeysState, KeyCall> = {
  step: (state, call, memory) => {
    if (call.kind === "create") return create(state, call.key, call.limits);
    return call.kind === "verify" ? verify(state, call.key, memory) : change(state, call);
  },
  /** Expired keys are deleted at any time. */
  drift: (state) =>
    Object.keys(state.keys).flatMap((name) => {
      const { [name]: swept, ...keys } = state.keys;
      return swept && isExpired(state, swept) ? [{ ...state, keys }] : [];
    }),
};
