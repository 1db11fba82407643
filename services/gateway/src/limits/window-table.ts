/** Counts the requests of one key until it ends. */
export interface Window {
  readonly endsAt: number;
  count: number;
}

/** Linked to its neighbours in order of start, which among windows of one length is that of their ends. */
interface Linked extends Window {
  readonly key: string;
  readonly seconds: number;
  older: Linked;
  newer: Linked;
}

/** Windows by key, of which those that are over are found without a search, however many there are. */
export interface WindowTable {
  has(key: string): boolean;
  /** Undefined where there is none, or where it is over. */
  find(key: string, now: number): Window | undefined;
  /** A window whose first request is counted, in the place of one that the key had. */
  start(key: string, seconds: number, now: number): void;
  /** Drops a window of this length that is over, and from `sizeMax` on one of any length where that gave no room. */
  dropOneOver(seconds: number, now: number, sizeMax: number): void;
  size(): number;
}

export function createWindowTable(): WindowTable {
  const windows = new Map<string, Linked>();
  // Rings beside the map: taking the first key of a large map skips all the holes that deletions left. One for each length, as a
  // long window would keep the shorter ones behind it from being seen.
  const rings = new Map<number, Linked>();

  const forget = (window: Linked): void => {
    windows.delete(window.key);
    window.older.newer = window.newer;
    window.newer.older = window.older;
    const ring = rings.get(window.seconds);
    if (ring?.newer === ring) rings.delete(window.seconds);
  };
  const dropFirst = (ring: Linked | undefined, now: number): boolean => {
    const oldest = ring?.newer;
    if (oldest === undefined || oldest.endsAt > now) return false;
    forget(oldest);
    return true;
  };

  return {
    has: (key) => windows.has(key),
    find(key, now) {
      const window = windows.get(key);
      return window === undefined || window.endsAt <= now ? undefined : window;
    },
    start(key, seconds, now) {
      const previous = windows.get(key);
      if (previous !== undefined) forget(previous);
      const ring = rings.get(seconds) ?? createRing(seconds);
      rings.set(seconds, ring);
      windows.set(key, append(ring, { key, endsAt: now + seconds * 1000 }));
    },
    dropOneOver(seconds, now, sizeMax) {
      if (dropFirst(rings.get(seconds), now) || windows.size < sizeMax) return;
      for (const [length, ring] of rings) if (length !== seconds && dropFirst(ring, now)) return;
    },
    size: () => windows.size,
  };
}

/** A ring's own node: its `newer` is the oldest window, its `older` the newest. */
function createRing(seconds: number): Linked {
  const ring: Partial<Linked> = { key: "", seconds, endsAt: 0, count: 0 };
  ring.older = ring.newer = ring as Linked; // Complete from here on: a ring of one points at itself.
  return ring as Linked; // As above.
}

function append(ring: Linked, fresh: Pick<Linked, "key" | "endsAt">): Linked {
  const { seconds } = ring;
  const window: Linked = { ...fresh, seconds, count: 1, older: ring.older, newer: ring };
  ring.older.newer = window;
  ring.older = window;
  return window;
}
