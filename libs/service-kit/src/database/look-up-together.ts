import DataLoader from "dataloader";

/** The limits of calls that share statements. */
export interface TogetherLimits {
  /** Maximum number of keys per statement. */
  keysMax?: number;
  /** Maximum number of concurrent statements. Further calls are collected for the next one. */
  statementsMax?: number;
  /** Maximum wait for a running statement. After it, the collected calls are sent beyond `statementsMax`. */
  waitMilliseconds?: number;
}

/**
 * Creates a function whose calls in one turn of the event loop share one statement, and thus a round trip under load. `read` returns a
 * result for each key, in their order. An error as a result rejects only its own call. A failed statement rejects all of its calls.
 * Nothing is cached, so each call sees everything that was committed before it.
 */
export const readTogether = <Key, Found>(
  read: (keys: readonly Key[]) => Promise<(Found | Error)[]>,
  {
    keysMax = 64, // a larger batch would delay its first keys
    statementsMax = Number.POSITIVE_INFINITY,
    waitMilliseconds,
  }: TogetherLimits = {},
): ((key: Key) => Promise<Found>) => {
  let statements = 0;
  /** Batches that wait for a statement to end. A partial one still collects keys. */
  const waiting = new Set<() => void>();
  const wait = (send: () => void) => {
    const release = () => {
      clearTimeout(timer);
      waiting.delete(release);
      send();
    };
    const timer =
      waitMilliseconds === undefined ? undefined : setTimeout(release, waitMilliseconds);
    waiting.add(release);
  };
  const loader = new DataLoader<Key, Found>(
    async (keys) => {
      statements += 1;
      try {
        return await read(keys);
      } finally {
        statements -= 1;
        const [release] = waiting;
        release?.();
      }
    },
    {
      cache: false,
      maxBatchSize: keysMax,
      batchScheduleFn: (send) =>
        setImmediate(() => {
          if (statements < statementsMax) send();
          else wait(send);
        }),
    },
  );
  return (key) => loader.load(key);
};

export interface LookUpOptions<Key, Found> extends TogetherLimits {
  /** Looks up several keys in one statement. Leaves out unknown ones. */
  read: (keys: readonly Key[]) => Promise<Found[]>;
  /** Returns a text that is equal for equal keys. */
  nameOf: (key: Key) => string;
  /** Returns the key of a result. */
  keyOf: (found: Found) => Key;
}

/** Creates a look-up by key, in statements that concurrent look-ups share as in `readTogether`. */
export const lookUpTogether = <Key, Found>({
  read,
  nameOf,
  keyOf,
  ...limits
}: LookUpOptions<Key, Found>): ((key: Key) => Promise<Found | undefined>) =>
  readTogether<Key, Found | undefined>(async (keys) => {
    const rowByKey = new Map((await read(keys)).map((one) => [nameOf(keyOf(one)), one]));
    return keys.map((key) => rowByKey.get(nameOf(key)));
  }, limits);
