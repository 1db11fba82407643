/** Tells when epochs have changed. */
export interface EpochSignal {
  /** True as soon as a change was committed, by whichever process; false when none was for that long. */
  next(milliseconds: number): Promise<boolean>;
  /** Wakes everybody who waits. */
  wake(): void;
}

export const createEpochSignal = (): EpochSignal => {
  const waiting = new Set<() => void>();
  return {
    next: (milliseconds) =>
      new Promise((resolve) => {
        const settle = (isWoken: boolean) => {
          waiting.delete(wake);
          clearTimeout(timer);
          resolve(isWoken);
        };
        const wake = () => settle(true);
        const timer = setTimeout(() => settle(false), milliseconds);
        timer.unref();
        waiting.add(wake);
      }),
    wake: () => {
      for (const wake of waiting) wake();
    },
  };
};
