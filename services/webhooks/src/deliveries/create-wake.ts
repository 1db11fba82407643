/** A pause that a wake ends. A wake during work is remembered for the next pause. */
export interface Wake {
  wake(): void;
  /** Resolves after the time, or at the next wake. */
  pause(milliseconds: number): Promise<void>;
}

export const createWake = (): Wake => {
  let isWoken = false;
  let finish: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      finish?.();
    },
    pause: async (milliseconds) => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          finish = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      finish = undefined;
      isWoken = false;
    },
  };
};
