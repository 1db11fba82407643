import { type Caller, userEpochHeader } from "@latchkey/contracts";

/** The epochs that a request began, told to its gateway with the answer: it learns of them before its client does. */
export interface EpochNotes {
  note(caller: Caller, userId: string, epoch: number): void;
  /** The headers that tell of them; undefined when there are none. */
  headersFor(caller: Caller): Record<string, string> | undefined;
}

/** Ids may be of the application's making. */
const toText = ([userId, epoch]: [string, number]) => `${encodeURIComponent(userId)}:${epoch}`;

export const createEpochNotes = (): EpochNotes => {
  const notes = new WeakMap<Caller, Map<string, number>>();
  return {
    note: (caller, userId, epoch) => {
      const noted = notes.get(caller) ?? new Map<string, number>();
      notes.set(caller, noted.set(userId, epoch));
    },
    headersFor: (caller) => {
      const noted = notes.get(caller);
      return noted && { [userEpochHeader]: [...noted].map(toText).join(",") };
    },
  };
};
