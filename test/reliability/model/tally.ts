import type { Answered } from "./explain.ts";

/** Counts calls with their replies. */
export interface Tally {
  note(answered: readonly Answered<{ kind: string }>[]): void;
  counts(): { calls: number; batches: number; contested: number; replies: Record<string, number> };
}

export const createTally = (): Tally => {
  const replies = new Map<string, number>();
  let [calls, batches, contested] = [0, 0, 0];
  return {
    note: (answered) => {
      batches += 1;
      calls += answered.length;
      if (answered.length > 1) contested += 1;
      for (const { call, reply } of answered) {
        const [status = "", code = ""] = reply.split(" ");
        const name = `${call.kind} ${/^[A-Z]/.test(code) ? code : status}`;
        replies.set(name, (replies.get(name) ?? 0) + 1);
      }
    },
    counts: () => ({
      calls,
      batches,
      contested,
      replies: Object.fromEntries([...replies].toSorted()),
    }),
  };
};
