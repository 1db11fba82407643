import type { Caller } from "@latchkey/contracts";
import { epochHeaders } from "@latchkey/service-kit";

/** The epochs that a request began, told to its gateway with the answer: it learns of them before its client does. */
export interface EpochNotes {
  note(caller: Caller, userId: string, epoch: number): void;
  /** What was noted for a request. */
  notedFor(caller: Caller): { userId: string; epoch: number }[];
  /** The headers that tell of them; undefined when there are none. */
  headersFor(caller: Caller): Record<string, string> | undefined;
}

export const createEpochNotes = (): EpochNotes => {
  const notes = new WeakMap<Caller, Map<string, number>>();
  const notedFor = (caller: Caller) =>
    [...(notes.get(caller) ?? [])].map(([userId, epoch]) => ({ userId, epoch }));
  return {
    note: (caller, userId, epoch) => {
      const noted = notes.get(caller) ?? new Map<string, number>();
      notes.set(caller, noted.set(userId, epoch));
    },
    notedFor,
    headersFor: (caller) => (notes.has(caller) ? epochHeaders(notedFor(caller)) : undefined),
  };
};
