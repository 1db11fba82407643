/** A pause that a wake ends. A wake during work is remembered for the next pause. */
export interface Wake {
  wake(): void;
  /** Resolves after the time, or at the next wake. Returns whether it was woken. */
  pause(milliseconds: number): Promise<boolean>;
  /** Resolves after the time. Only `end` cuts it short. */
  rest(milliseconds: number): Promise<void>;
  /** Ends the present or the next pause, and the present rest. */
  end(): void;
}

/** Creates the pause of one loop. */
export const createWake = (): Wake => {
  let isWoken = false;
  let isResting = false;
  let finish: (() => void) | undefined;
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => finish?.(), milliseconds);
      finish = () => {
        clearTimeout(timer);
        finish = undefined;
        resolve();
      };
    });
  return {
    wake: () => {
      isWoken = true;
      if (!isResting) finish?.();
    },
    pause: async (milliseconds) => {
      if (!isWoken) await sleep(milliseconds);
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
    rest: async (milliseconds) => {
      if (milliseconds <= 0) return;
      isResting = true;
      await sleep(milliseconds);
      isResting = false;
    },
    end: () => {
      isWoken = true;
      finish?.();
    },
  };
};
