import { dayMilliseconds, dayOf } from "./days.ts";

/** What is counted here and written in batches, so that whoever counts waits for nothing. */
export interface DailyTally<Of, Row> {
  /** The row of today, to count in at once: it must not be kept. */
  rowOf(of: Of): Row;
  /** Writes what was counted; where that fails it stays counted. */
  flush(): Promise<void>;
}

/** How rows are told apart, made, added up and written. */
export interface DailyTallyOptions<Of, Row> {
  clock: () => number;
  /** What tells rows of one day apart. */
  nameOf: (of: Of) => string;
  /** A row in which nothing is counted yet; `day` as `YYYY-MM-DD`. */
  newRow: (of: Of, day: string) => Row;
  /** Adds to a row what another one of the same name and day has counted. */
  add: (to: Row, from: Row) => void;
  /** Writes rows, each name and day at most once among them: all of them, or none and rejects. */
  write: (rows: readonly Row[]) => Promise<void>;
}

const batchSize = 1_000;

/** Counts in memory, by name and day of UTC. What a process has not written when it is killed is lost. */
export const createDailyTally = <Of, Row>(
  options: DailyTallyOptions<Of, Row>,
): DailyTally<Of, Row> => {
  const { clock, nameOf, newRow, add, write } = options;
  let counted = new Map<string, Row>();
  let day = "";
  let dayEndsAt = 0;

  const today = (): string => {
    const now = clock();
    if (now >= dayEndsAt || now < dayEndsAt - dayMilliseconds) {
      day = dayOf(now);
      dayEndsAt = Date.parse(day) + dayMilliseconds;
    }
    return day;
  };
  const putBack = (name: string, row: Row): void => {
    const known = counted.get(name);
    if (known === undefined) counted.set(name, row);
    else add(known, row);
  };

  return {
    rowOf: (of) => {
      const current = today();
      const name = `${current} ${nameOf(of)}`;
      const known = counted.get(name);
      if (known !== undefined) return known;
      const row = newRow(of, current);
      counted.set(name, row);
      return row;
    },
    flush: async () => {
      const entries = [...counted];
      counted = new Map();
      for (let start = 0; start < entries.length; start += batchSize) {
        try {
          await write(entries.slice(start, start + batchSize).map(([, row]) => row));
        } catch (error) {
          for (const [name, row] of entries.slice(start)) putBack(name, row);
          throw error;
        }
      }
    },
  };
};
