import { dayMilliseconds, dayOf } from "./days.ts";

/** Counts in memory and writes in batches, so that counting never waits. */
export interface DailyTally<Of, Row> {
  /** Returns today's row for immediate counting. Do not keep a reference to it. */
  rowOf(of: Of): Row;
  /** Writes the counts. Keeps them if the write fails. */
  flush(): Promise<void>;
}

/** Identifies, creates, adds and writes rows. */
export interface DailyTallyOptions<Of, Row> {
  clock: () => number;
  /** Returns the name that identifies a row within a day. */
  nameOf: (of: Of) => string;
  /** Creates a row without counts. `day` as `YYYY-MM-DD`. */
  newRow: (of: Of, day: string) => Row;
  /** Adds the counts of a row to another one of the same name and day. */
  add: (to: Row, from: Row) => void;
  /** Writes rows, each name and day at most once among them. Writes all of them, or none and rejects. */
  write: (rows: readonly Row[]) => Promise<void>;
}

const batchSize = 1_000;

/** Creates a tally that counts in memory by name and UTC day. Unwritten counts are lost if the process is killed. */
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
    const existingRow = counted.get(name);
    if (existingRow === undefined) counted.set(name, row);
    else add(existingRow, row);
  };

  return {
    rowOf: (of) => {
      const current = today();
      const name = `${current} ${nameOf(of)}`;
      const existingRow = counted.get(name);
      if (existingRow !== undefined) return existingRow;
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
