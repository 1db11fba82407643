/** How fresh what we know must be for a cached session to be believed. */
const trustMilliseconds = 2_500;
/** Clocks of services may differ by so much, and an answer may be this old when it becomes a cookie. */
const marginMilliseconds = 120_000;

/** What this gateway knows of users' epochs: cached sessions of an earlier one are good for nothing. */
export interface UserEpochs {
  /** A user has moved on to an epoch. */
  note(userId: string, epoch: number): void;
  /** All that happened until `askedAt` has been noted. */
  hear(askedAt: number): void;
  /** Whether we know all that happened, but for the last moments. */
  isTrusted(): boolean;
  /** Whether a cached session of this epoch of a user may be believed now. */
  isCurrent(userId: string, epoch: number): boolean;
}

/** Keeps epochs for as long as a cached session of an earlier one can be about. */
export const createUserEpochs = ({
  clock,
  cachedSeconds,
}: {
  clock: () => number;
  cachedSeconds: number;
}): UserEpochs => {
  const keptMilliseconds = cachedSeconds * 1000 + marginMilliseconds;
  /** In the order in which they were noted. */
  const known = new Map<string, { epoch: number; notedAt: number }>();
  let heardAt: number | undefined;

  const forgetOld = (now: number): void => {
    for (const [userId, { notedAt }] of known) {
      if (now - notedAt <= keptMilliseconds) return;
      known.delete(userId);
    }
  };
  const isTrusted = (): boolean => {
    const age = heardAt === undefined ? Number.NaN : clock() - heardAt;
    return age >= 0 && age <= trustMilliseconds; // a clock that was put back proves nothing
  };
  return {
    note: (userId, epoch) => {
      const now = clock();
      forgetOld(now);
      const before = known.get(userId)?.epoch ?? 0;
      known.delete(userId);
      known.set(userId, { epoch: Math.max(before, epoch), notedAt: now });
    },
    hear: (askedAt) => {
      heardAt = askedAt;
    },
    isTrusted,
    isCurrent: (userId, epoch) => isTrusted() && epoch >= (known.get(userId)?.epoch ?? 0),
  };
};
