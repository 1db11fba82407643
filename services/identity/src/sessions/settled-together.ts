/** The time for which the others are awaited after the first result. */
const graceMilliseconds = 100;

/**
 * Returns the results of concurrent work, and undefined for each part that fails or takes much longer than the first result. Rejects
 * with the error of the first part if every part fails.
 */
export const settledTogether = async <T>(
  parts: readonly Promise<T>[],
): Promise<(T | undefined)[]> => {
  const results: (T | undefined)[] = parts.map(() => undefined);
  const stored = parts.map(async (part, index) => {
    results[index] = await part;
  });
  await Promise.any(stored).catch(({ errors }: AggregateError) => {
    throw errors[0];
  });
  const grace = Promise.withResolvers<void>();
  const timer = setTimeout(grace.resolve, graceMilliseconds);
  await Promise.race([Promise.allSettled(stored), grace.promise]);
  clearTimeout(timer);
  return [...results];
};
