/** The time for which the others are awaited after the first result. */
const graceMilliseconds = 100;

/**
 * Returns the results of concurrent work, and undefined for each part that fails or takes much longer than the first result. Rejects
 * with the error of the first part if every part fails.
 */
export const settledTogether = <T>(parts: readonly Promise<T>[]): Promise<(T | undefined)[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<(T | undefined)[]>();
  const results: (T | undefined)[] = parts.map(() => undefined);
  let firstError: unknown;
  let pending = parts.length;
  let timer: NodeJS.Timeout | undefined;
  const finish = () => {
    clearTimeout(timer);
    if (timer) resolve([...results]);
    else reject(firstError);
  };
  const settle = () => {
    pending -= 1;
    if (pending === 0) finish();
  };
  for (const [index, part] of parts.entries())
    part.then(
      (result) => {
        results[index] = result;
        timer ??= setTimeout(finish, graceMilliseconds);
        settle();
      },
      (error: unknown) => {
        if (index === 0) firstError = error;
        settle();
      },
    );
  return promise;
};
