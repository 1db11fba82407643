import { hash, randomBytes } from "node:crypto";
import type { Decision, RateRule } from "./limiter.ts";
import { refusal } from "./refusal.ts";
import { createWindowTable } from "./window-table.ts";

/** The number of shared windows for each rule, used while the table is full. */
const sharedWindowCount = 65_536;
const seedBytes = 16;

/**
 * Creates a bounded limiter for one process. Beyond `keyCountMax` unexpired windows (100,000 by default), a new client shares a window of
 * the
 * same rule with others, chosen by an unpredictable hash. So no count is ever lost before its window ends, however many addresses fill the
 * table. In such a flood, new clients may be refused because of others, but no client gets more than the rule allows. Needs no timer: each
 * new window makes room by dropping an expired one.
 */
export function createMemoryLimiter(deps: {
  readonly clock: () => number;
  readonly keyCountMax?: number;
}): { hit(key: string, rule: RateRule): Decision; reset(keys: readonly string[]): number } {
  const { clock, keyCountMax = 100_000 } = deps;
  const own = createWindowTable();
  const shared = createWindowTable();
  const seed = randomBytes(seedBytes).toString("hex");

  const sharedKeyOf = (key: string, { windowSeconds, max }: RateRule): string => {
    const digest = hash("sha256", seed + key, "buffer");
    return `${windowSeconds} ${max} ${digest.readUInt32BE() % sharedWindowCount}`;
  };
  const find = (key: string, rule: RateRule, now: number) =>
    own.find(key, now) ??
    // A client that shares a window continues to do so until it ends, even if the table has room again.
    (shared.size() === 0 ? undefined : shared.find(sharedKeyOf(key, rule), now));
  const start = (key: string, { windowSeconds }: RateRule, now: number): boolean => {
    own.dropOneOver(windowSeconds, now, keyCountMax);
    if (!own.has(key) && own.size() >= keyCountMax) return false;
    own.start(key, windowSeconds, now);
    return true;
  };

  return {
    hit(key, rule) {
      const now = clock();
      const window = find(key, rule, now);
      if (window === undefined) {
        if (rule.max < 1) return refusal(rule.windowSeconds * 1000);
        shared.dropOneOver(rule.windowSeconds, now, 0);
        if (!start(key, rule, now)) shared.start(sharedKeyOf(key, rule), rule.windowSeconds, now);
        return { allowed: true };
      }
      if (window.count >= rule.max) return refusal(window.endsAt - now);
      window.count++;
      return { allowed: true };
    },
    // Shared windows stay: they also count the requests of other clients.
    reset: (keys) => keys.filter((key) => own.drop(key, clock())).length,
  };
}
