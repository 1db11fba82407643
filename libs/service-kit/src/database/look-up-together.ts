import DataLoader from "dataloader";

export interface LookUpOptions<Key, Found> {
  /** Looks up several keys in one statement. */
  read: (keys: readonly Key[]) => Promise<Found[]>;
  /** Returns a text that is equal for equal keys. */
  nameOf: (key: Key) => string;
  /** Returns the key of a result. */
  keyOf: (found: Found) => Key;
  /** Maximum number of keys per statement. */
  keysMax?: number;
  /** Maximum number of concurrent statements. Further look-ups are collected for the next one. */
  statementsMax?: number;
  /** Maximum wait for a running statement. After it, the collected look-ups are sent beyond `statementsMax`. */
  waitMilliseconds?: number;
}

/**
 * Creates a look-up by key. Look-ups in one turn of the event loop share one statement, and thus a round trip under load.
 * Nothing is cached, so each look-up sees everything that was committed before it. A failed statement rejects all of its
 * look-ups.
 */
export const lookUpTogether = <Key, Found>({
  read,
  nameOf,
  keyOf,
  keysMax = 64, // a larger batch would delay its first keys
  statementsMax = Number.POSITIVE_INFINITY,
  waitMilliseconds,
}: LookUpOptions<Key, Found>): ((key: Key) => Promise<Found | undefined>) => {
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
  const loader = new DataLoader<Key, Found | undefined>(
    async (keys) => {
      statements += 1;
      try {
        const found = new Map((await read(keys)).map((one) => [nameOf(keyOf(one)), one]));
        return keys.map((key) => found.get(nameOf(key)));
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
