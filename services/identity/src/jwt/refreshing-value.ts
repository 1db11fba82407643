/** A cached in memory of a remote value, refreshed on use. */
export interface RefreshingValue<T> {
  /** Returns the cached, at most twice `freshMilliseconds` old while the source responds. Rejects only if there is no cached. */
  get(): Promise<T>;
  /** Returns the cached while it is fresh, or undefined if `get` would have to read. */
  peek(): T | undefined;
  /** Makes the next use read again, and wait for it. */
  expire(): void;
}

export interface RefreshingValueOptions<T> {
  clock: () => number;
  /** Age at which a use refreshes the cached in the background, in milliseconds. */
  freshMilliseconds: number;
  /** Receives the previous cached. Never runs twice at once. */
  read: (previous: T | undefined) => Promise<T>;
  onFailure: (error: unknown) => void;
}

/** Without a cached, a failure is repeated for this long before the next try. */
const failureMilliseconds = 1_000;

/**
 * Creates a cached that is read on first use. If a refresh fails, the old cached stays in use for a while, so that a source
 * that is down does not block callers.
 */
export const createRefreshingValue = <T>(
  options: RefreshingValueOptions<T>,
): RefreshingValue<T> => {
  const { clock, freshMilliseconds } = options;
  let cached: { value: T; readAt: number } | undefined;
  let failure: { error: unknown; at: number } | undefined;
  let reading: Promise<T> | undefined;

  const refresh = async (): Promise<T> => {
    try {
      cached = { value: await options.read(cached?.value), readAt: clock() };
    } catch (error) {
      options.onFailure(error);
      failure = { error, at: clock() };
      if (!cached) throw error;
      cached = { value: cached.value, readAt: clock() };
    }
    return cached.value;
  };

  return {
    peek: () => (cached && clock() - cached.readAt < freshMilliseconds ? cached.value : undefined),
    get: async () => {
      const age = cached ? clock() - cached.readAt : Infinity;
      if (cached && age < freshMilliseconds) return cached.value;
      if (!cached && failure && clock() - failure.at < failureMilliseconds) throw failure.error;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      return cached && age < 2 * freshMilliseconds ? cached.value : reading;
    },
    expire: () => {
      if (cached) cached.readAt = -Infinity;
    },
  };
};
