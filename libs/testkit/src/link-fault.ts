import { setTimeout as delay } from "node:timers/promises";

/** A fault between two sides of a connection: none, a delay, or a black hole in which bytes wait until it is healed. */
export type LinkFault = {
  /** Resolves when received data may be passed on. Undefined if it may be passed on at once. */
  passage(): Promise<void> | undefined;
  /** From now on, everything arrives this many milliseconds late. */
  delay(ms: number): void;
  /** From now on, nothing arrives and no error is reported. Bytes, ends and resets wait, as TCP retransmits them after a network outage. */
  drop(): void;
  /** Ends the fault and delivers everything that waited. */
  heal(): void;
};

export function createLinkFault(): LinkFault {
  let lateMs = 0;
  let hole: PromiseWithResolvers<void> | undefined;
  const repair = () => {
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
      repair();
    },
  };
}
