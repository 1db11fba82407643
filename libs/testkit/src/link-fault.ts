import { setTimeout as delay } from "node:timers/promises";

/** What befalls the bytes between two sides: nothing, a delay, or a hole in which they wait until it is mended. */
export type LinkFault = {
  /** Resolves when what has come may go on; undefined where it may at once. */
  passage(): Promise<void> | undefined;
  /** From now on everything comes so many milliseconds late. */
  delay(ms: number): void;
  /**
   * From now on nothing arrives, and nobody is told: bytes, ends and breaks wait, as those of a network that comes back are sent
   * again by TCP.
   */
  drop(): void;
  /** All is well again, and what waited arrives. */
  heal(): void;
};

export function createLinkFault(): LinkFault {
  let lateMs = 0;
  let hole: PromiseWithResolvers<void> | undefined;
  const mend = () => {
    hole?.resolve();
    hole = undefined;
  };
  return {
    passage: () => hole?.promise ?? (lateMs > 0 ? delay(lateMs) : undefined),
    delay: (ms) => {
      lateMs = ms;
    },
    drop: () => {
      hole ??= Promise.withResolvers();
    },
    heal: () => {
      lateMs = 0;
      mend();
    },
  };
}
