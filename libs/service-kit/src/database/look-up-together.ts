export interface LookUpOptions<Key, Found> {
  /** Looks up several keys in one statement. */
  read: (keys: readonly Key[]) => Promise<Found[]>;
  /** Returns a text that is equal for equal keys. */
  nameOf: (key: Key) => string;
  /** Returns the key of a result. */
  keyOf: (found: Found) => Key;
  /** Maximum number of concurrent statements. Further look-ups are collected for the next one. */
  statementsMax?: number;
}

interface Batch<Key, Found> {
  keys: Key[];
  found: PromiseWithResolvers<ReadonlyMap<string, Found>>;
  /** Whether its turn of the event loop is over. */
  isDue: boolean;
}

/** A larger batch would delay its first keys. */
const keysMax = 64;

/**
 * Creates a look-up by key. Look-ups in one turn of the event loop share one statement, and thus a round trip under load.
 * Nothing is cached, so each look-up sees everything that was committed before it. A failed statement rejects all of its
 * look-ups.
 */
export const lookUpTogether = <Key, Found>({
  read,
  nameOf,
  keyOf,
  statementsMax = Number.POSITIVE_INFINITY,
}: LookUpOptions<Key, Found>): ((key: Key) => Promise<Found | undefined>) => {
  let open: Batch<Key, Found> | undefined;
  /** Closed batches that wait for a statement to end. */
  const waiting: Batch<Key, Found>[] = [];
  let statements = 0;

  const send = async ({ keys, found }: Batch<Key, Found>): Promise<void> => {
    statements += 1;
    try {
      const all = await read(keys);
      found.resolve(new Map(all.map((one) => [nameOf(keyOf(one)), one])));
    } catch (error) {
      found.reject(error);
    }
    statements -= 1;
    sendNext();
  };
  const sendNext = (): void => {
    const next = waiting.shift();
    if (next) void send(next);
    else if (open?.isDue) close(open);
  };
  /** Sends a batch. A partial batch stays open while the maximum number of statements is running. */
  const close = (batch: Batch<Key, Found>): void => {
    if (open !== batch) return; // it was full and is already closed
    const isFull = batch.keys.length >= keysMax;
    batch.isDue = true;
    if (statements >= statementsMax && !isFull) return;
    open = undefined;
    if (statements >= statementsMax) waiting.push(batch);
    else void send(batch);
  };
  const begin = (): Batch<Key, Found> => {
    const batch: Batch<Key, Found> = {
      keys: [],
      found: Promise.withResolvers(),
      isDue: false,
    };
    setImmediate(() => close(batch));
    return batch;
  };

  return async (key) => {
    const batch = (open ??= begin());
    if (batch.keys.push(key) >= keysMax) close(batch);
    const found = await batch.found.promise;
    return found.get(nameOf(key));
  };
};
