/** A copy in memory of a remote value, refreshed on use. */
export interface RefreshingCopy<T> {
  /** Returns the copy, at most twice `freshMilliseconds` old while the source responds. Rejects only if there is no copy. */
  get(): Promise<T>;
  /** Returns the copy while it is fresh, or undefined if `get` would have to read. */
  peek(): T | undefined;
  /** Makes the next use read again, and wait for it. */
  expire(): void;
}

export interface RefreshingCopyOptions<T> {
  clock: () => number;
  /** Age at which a use refreshes the copy in the background, in milliseconds. */
  freshMilliseconds: number;
  /** Receives the previous copy. Never runs twice at once. */
  read: (previous: T | undefined) => Promise<T>;
  onFailure: (error: unknown) => void;
}

/** Without a copy, a failure is repeated for this long before the next try. */
const failureMilliseconds = 1_000;

/**
 * Creates a copy that is read on first use. If a refresh fails, the old copy stays in use for a while, so that a source
 * that is down does not block callers.
 */
export const createRefreshingCopy = <T>(options: RefreshingCopyOptions<T>): RefreshingCopy<T> => {
  const { clock, freshMilliseconds } = options;
  let copy: { value: T; readAt: number } | undefined;
  let failure: { error: unknown; at: number } | undefined;
  let reading: Promise<T> | undefined;

  const refresh = async (): Promise<T> => {
    try {
      copy = { value: await options.read(copy?.value), readAt: clock() };
    } catch (error) {
      options.onFailure(error);
      failure = { error, at: clock() };
      if (!copy) throw error;
      copy = { value: copy.value, readAt: clock() };
    }
    return copy.value;
  };

  return {
    peek: () => (copy && clock() - copy.readAt < freshMilliseconds ? copy.value : undefined),
    get: async () => {
      const age = copy ? clock() - copy.readAt : Infinity;
      if (copy && age < freshMilliseconds) return copy.value;
      if (!copy && failure && clock() - failure.at < failureMilliseconds) throw failure.error;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      return copy && age < 2 * freshMilliseconds ? copy.value : reading;
    },
    expire: () => {
      if (copy) copy.readAt = -Infinity;
    },
  };
};
