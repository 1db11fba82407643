import type { Caller } from "@latchkey/contracts";
import { revisionHeaders } from "@latchkey/service-kit/http";

/** Signals changes of user revisions. */
interface RevisionSignal {
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

/**
 * The user revisions that a request changed. They are sent to its gateway with the reply, so that the gateway has them
 * before the client.
 */
export interface RevisionRecords {
  note(caller: Caller, userId: string, epoch: number): void;
  /** Returns the recorded revisions of a request. */
  notedFor(caller: Caller): { userId: string; epoch: number }[];
  /** Returns the headers with these revisions, or undefined if there are none. */
  headersFor(caller: Caller): Record<string, string> | undefined;
}

export const createRevisionRecords = (): RevisionRecords => {
  const records = new WeakMap<Caller, Map<string, number>>();
  const notedFor = (caller: Caller) =>
    [...(records.get(caller) ?? [])].map(([userId, epoch]) => ({ userId, epoch }));
  return {
    note: (caller, userId, epoch) => {
      const noted = records.get(caller) ?? new Map<string, number>();
      records.set(caller, noted.set(userId, epoch));
    },
    notedFor,
    headersFor: (caller) => (records.has(caller) ? revisionHeaders(notedFor(caller)) : undefined),
  };
};
