/** Whether a session that dates from `since` is too old for what needs a fresh one; zero seconds ask for no freshness. */
export const isStale = (
  since: Date,
  { now, freshAgeSeconds }: { now: number; freshAgeSeconds: number },
): boolean => freshAgeSeconds > 0 && now - since.getTime() >= freshAgeSeconds * 1000;
