/** The clock of this process, which can be moved forward. */
export interface MovableClock {
  advance(milliseconds: number): void;
  /** Restores the real clock. */
  restore(): void;
}

/** Replaces `Date.now`, the only clock of the services. Create it before they start, because they keep a reference. */
export const createMovableClock = (): MovableClock => {
  const now = Date.now;
  let ahead = 0;
  Date.now = () => now() + ahead;
  return {
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    restore: () => {
      Date.now = now;
    },
  };
};
