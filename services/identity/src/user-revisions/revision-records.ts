import type { Caller } from "@latchkey/contracts";
import { revisionHeaders } from "@latchkey/service-kit";

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
  const notes = new WeakMap<Caller, Map<string, number>>();
  const notedFor = (caller: Caller) =>
    [...(notes.get(caller) ?? [])].map(([userId, epoch]) => ({ userId, epoch }));
  return {
    note: (caller, userId, epoch) => {
      const noted = notes.get(caller) ?? new Map<string, number>();
      notes.set(caller, noted.set(userId, epoch));
    },
    notedFor,
    headersFor: (caller) => (notes.has(caller) ? revisionHeaders(notedFor(caller)) : undefined),
  };
};
