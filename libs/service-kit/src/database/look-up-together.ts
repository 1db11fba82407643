export interface LookUpOptions<Key, Found> {
  /** Looks up several keys by one statement. */
  read: (keys: readonly Key[]) => Promise<Found[]>;
  /** Text that is equal for equal keys. */
  nameOf: (key: Key) => string;
  /** The key that something was found by. */
  keyOf: (found: Found) => Key;
  /** Most statements on their way at once; what is asked for meanwhile gathers for the next one. */
  statementsMax?: number;
}

interface Batch<Key, Found> {
  keys: Key[];
  found: PromiseWithResolvers<ReadonlyMap<string, Found>>;
  /** Its turn of the event loop is over. */
  isDue: boolean;
}

/** More would keep the first ones waiting. */
const keysMax = 64;

/**
 * A look-up by key. What is asked for in one turn of the event loop goes out as one statement, so that under load a
 * round trip is shared by many. Nothing is kept: each look-up sees what was committed before it was asked for. A
 * statement that fails does so for all who share it.
 */
export const lookUpTogether = <Key, Found>({
  read,
  nameOf,
  keyOf,
  statementsMax = Number.POSITIVE_INFINITY,
}: LookUpOptions<Key, Found>): ((key: Key) => Promise<Found | undefined>) => {
  let open: Batch<Key, Found> | undefined;
  /** Closed ones that wait for a statement to come back. */
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
  /** Sends a batch; one that is not full stays open while too many statements are on their way. */
  const close = (batch: Batch<Key, Found>): void => {
    if (open !== batch) return; // it was full
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
