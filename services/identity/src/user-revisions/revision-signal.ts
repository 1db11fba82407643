/** Signals changes of user revisions. */
export interface RevisionSignal {
  /** Resolves with true as soon as any process has committed a change, or with false after this time. */
  next(milliseconds: number): Promise<boolean>;
  /** Wakes all waiters. */
  wake(): void;
}

export const createRevisionSignal = (): RevisionSignal => {
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
