/** The clock of this process, ahead of the world's by what it was moved. */
export interface MovableClock {
  advance(milliseconds: number): void;
  /** Gives the world's clock back. */
  restore(): void;
}

/** Moves `Date.now`, which is all that services look at; made before they start, which keep what they find. */
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
