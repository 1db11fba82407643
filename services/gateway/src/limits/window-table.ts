/** Counts the requests of one key until it ends. */
export interface Window {
  readonly endsAt: number;
  count: number;
}

/** Linked to its neighbours in order of start, which for windows of one length is also the order of their ends. */
interface Linked extends Window {
  readonly key: string;
  readonly seconds: number;
  older: Linked;
  newer: Linked;
}

/** Windows by key. Expired ones are found without a search, however many there are. */
export interface WindowTable {
  has(key: string): boolean;
  /** Undefined if there is none or it has expired. */
  find(key: string, now: number): Window | undefined;
  /** Starts a window with its first request counted. It replaces the previous window of the key. */
  start(key: string, seconds: number, now: number): void;
  /**
   * Drops an expired window of this length. If there is none and the table has `sizeMax` windows, drops an expired one of another length.
   */
  dropOneOver(seconds: number, now: number, sizeMax: number): void;
  /** Drops the window of a key. Returns whether it had one that has not expired. */
  drop(key: string, now: number): boolean;
  size(): number;
}

export function createWindowTable(): WindowTable {
  const windows = new Map<string, Linked>();
  // Rings beside the map, because taking the first key of a large map skips over all holes left by deletions. There is one ring per length,
  // because otherwise a long window would hide the shorter ones behind it.
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
    drop(key, now) {
      const window = windows.get(key);
      if (window === undefined) return false;
      forget(window);
      return window.endsAt > now;
    },
    size: () => windows.size,
  };
}

/** The ring's own node: its `newer` is the oldest window, its `older` the newest. */
function createRing(seconds: number): Linked {
  const ring: Partial<Linked> = { key: "", seconds, endsAt: 0, count: 0 };
  ring.older = ring.newer = ring as Linked; // Complete now: a ring of one points to itself.
  return ring as Linked; // See above.
}

function append(ring: Linked, fresh: Pick<Linked, "key" | "endsAt">): Linked {
  const { seconds } = ring;
  const window: Linked = { ...fresh, seconds, count: 1, older: ring.older, newer: ring };
  ring.older.newer = window;
  ring.older = window;
  return window;
}
