import type { Decision, RateRule } from "./limiter.ts";
import { refusal } from "./refusal.ts";

/** A window, linked to its neighbours in order of start. */
interface Window {
  readonly key: string;
  readonly endsAt: number;
  count: number;
  older: Window;
  newer: Window;
}

/**
 * A limiter for one process, bounded: beyond `keyCountMax` (100,000 by default) the window that started first is
 * forgotten. Needs no timer: each new window makes room by dropping the oldest one if that is over.
 */
export function createMemoryLimiter(deps: {
  readonly clock: () => number;
  readonly keyCountMax?: number;
}): { hit(key: string, rule: RateRule): Decision } {
  const { clock, keyCountMax = 100_000 } = deps;
  const windows = new Map<string, Window>();
  // A linked ring beside the map: taking the first key of a large map skips all the holes that deletions left.
  const ring = createRing();

  const forget = (window: Window): void => {
    windows.delete(window.key);
    unlink(window);
  };
  const start = (key: string, rule: RateRule, now: number): void => {
    const previous = windows.get(key);
    if (previous !== undefined) forget(previous);
    const oldest = ring.newer;
    if (oldest !== ring && (oldest.endsAt <= now || windows.size >= keyCountMax)) forget(oldest);
    windows.set(key, append(ring, { key, endsAt: now + rule.windowSeconds * 1000 }));
  };

  return {
    hit(key, rule) {
      const now = clock();
      const window = windows.get(key);
      if (window === undefined || window.endsAt <= now) {
        if (rule.max < 1) return refusal(rule.windowSeconds * 1000);
        start(key, rule, now);
        return { allowed: true };
      }
      if (window.count >= rule.max) return refusal(window.endsAt - now);
      window.count++;
      return { allowed: true };
    },
  };
}

/** The ring's own node: its `newer` is the oldest window, its `older` the newest. */
function createRing(): Window {
  const ring: Partial<Window> = { key: "", endsAt: 0, count: 0 };
  ring.older = ring.newer = ring as Window; // Complete from here on: a ring of one points at itself.
  return ring as Window; // As above.
}

function append(ring: Window, fresh: Pick<Window, "key" | "endsAt">): Window {
  const window: Window = { ...fresh, count: 1, older: ring.older, newer: ring };
  ring.older.newer = window;
  ring.older = window;
  return window;
}

function unlink(window: Window): void {
  window.older.newer = window.newer;
  window.newer.older = window.older;
}
