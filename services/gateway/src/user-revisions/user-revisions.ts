/** How recent the known revisions must be for a cached session to be trusted. */
const trustMilliseconds = 2_500;
/** The maximum clock difference between services, and the maximum age of a reply when it becomes a cookie. */
const marginMilliseconds = 120_000;

/** The known user revisions. Cached sessions of an earlier one are invalid. */
export interface UserRevisions {
  /** Records a user's new revision. */
  note(userId: string, epoch: number): void;
  /** Records that all changes until `askedAt` are known. */
  recordKnownUntil(askedAt: number): void;
  /** Returns whether all changes are known, except those of the last moments. */
  isTrusted(): boolean;
  /** Returns whether a cached session of this user revision can be trusted now. */
  isCurrent(userId: string, epoch: number): boolean;
}

/** Keeps each revision as long as a cached session of an earlier one can exist. */
export const createUserRevisions = ({
  clock,
  cachedSeconds,
}: {
  clock: () => number;
  cachedSeconds: number;
}): UserRevisions => {
  const keptMilliseconds = cachedSeconds * 1000 + marginMilliseconds;
  /** In the order in which they were recorded. */
  const revisions = new Map<string, { epoch: number; notedAt: number }>();
  let knownUntil: number | undefined;

  const forgetOld = (now: number): void => {
    for (const [userId, { notedAt }] of revisions) {
      if (now - notedAt <= keptMilliseconds) return;
      revisions.delete(userId);
    }
  };
  const isTrusted = (): boolean => {
    const age = knownUntil === undefined ? Number.NaN : clock() - knownUntil;
    return age >= 0 && age <= trustMilliseconds; // after the clock was set back, nothing is known
  };
  return {
    note: (userId, epoch) => {
      const now = clock();
      forgetOld(now);
      const before = revisions.get(userId)?.epoch ?? 0;
      revisions.delete(userId);
      revisions.set(userId, { epoch: Math.max(before, epoch), notedAt: now });
    },
    recordKnownUntil: (askedAt) => {
      knownUntil = askedAt;
    },
    isTrusted,
    isCurrent: (userId, epoch) => isTrusted() && epoch >= (revisions.get(userId)?.epoch ?? 0),
  };
};
