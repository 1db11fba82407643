/** A copy in memory of what lies elsewhere, read again on use. */
export interface RefreshingCopy<T> {
  /** The copy, at most twice `freshMilliseconds` old while the other side answers. Rejects only while there is none. */
  get(): Promise<T>;
  /** The copy while it is fresh; undefined where `get` would have to look. */
  peek(): T | undefined;
  /** Has the next use read again, and wait for it. */
  expire(): void;
}

export interface RefreshingCopyOptions<T> {
  clock: () => number;
  /** How old the copy may grow before it is read again, behind the back of who uses it. */
  freshMilliseconds: number;
  /** Is given the copy before; never runs twice at once. */
  read: (previous: T | undefined) => Promise<T>;
  onFailure: (error: unknown) => void;
}

/** How long a failure stands before another try, where there is no copy to go on with. */
const failureMilliseconds = 1_000;

/**
 * Nothing is read before the first use. A failed reading leaves the copy that there is in use for another while, so that
 * what is away does not hold up everybody.
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
