import { hash, randomBytes } from "node:crypto";
import type { Decision, RateRule } from "./limiter.ts";
import { refusal } from "./refusal.ts";
import { createWindowTable } from "./window-table.ts";

/** How many windows those share who find the table full, for each rule. */
const sharedWindowCount = 65_536;
const seedBytes = 16;

/**
 * A limiter for one process, bounded: beyond `keyCountMax` windows that are not over (100,000 by default), whoever is new shares
 * a window of the same rule with others, found by a hash that nobody can foretell. So nobody's count is ever forgotten before
 * its window ends, whoever fills the table and with how many addresses: in a flood like that newcomers may be refused for what
 * others did, and nobody gets more than the rule gives. Needs no timer: each new window makes room by dropping one that is over.
 */
export function createMemoryLimiter(deps: {
  readonly clock: () => number;
  readonly keyCountMax?: number;
}): { hit(key: string, rule: RateRule): Decision } {
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
    // Who shared a window does so until it ends, also where the table has room again.
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
  };
}
