/** Returns whether a session from `since` is too old for an operation that requires a fresh one. Zero seconds disable the check. */
export const isStale = (
  since: Date,
  { now, freshAgeSeconds }: { now: number; freshAgeSeconds: number },
): boolean => freshAgeSeconds > 0 && now - since.getTime() >= freshAgeSeconds * 1000;
