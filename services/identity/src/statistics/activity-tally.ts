import { createDailyTally } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type ActivityRow, addActivity, countNames } from "./queries.ts";

/** Counts activity in memory and writes it in batches, so that no sign-in waits for it. */
export interface ActivityTally {
  noteSignUp(): void;
  noteSignIn(userId: string): void;
  /** Counts no names. */
  noteRefusedSignIn(): void;
  /** Records that a session of the user was extended. */
  noteUse(userId: string): void;
  /** Writes the counts. If that fails, they are kept for the next time. */
  flush(): Promise<void>;
}

/** Creates a tally by day in UTC. Counts that a process has not written when it is killed are lost. */
export const createActivityTally = ({ clock, db }: Pick<Deps, "clock" | "db">): ActivityTally => {
  const tally = createDailyTally<void, ActivityRow>({
    clock,
    nameOf: () => "",
    newRow: (_of, day) => ({
      day,
      signUps: 0,
      signIns: 0,
      signInsFailed: 0,
      userIds: new Set(),
    }),
    add: (to, from) => {
      for (const name of countNames) to[name] += from[name];
      for (const userId of from.userIds) to.userIds.add(userId);
    },
    write: (rows) => addActivity(db, rows),
  });
  return {
    noteSignUp: () => {
      tally.rowOf().signUps += 1;
    },
    noteSignIn: (userId) => {
      const row = tally.rowOf();
      row.signIns += 1;
      row.userIds.add(userId);
    },
    noteRefusedSignIn: () => {
      tally.rowOf().signInsFailed += 1;
    },
    noteUse: (userId) => {
      tally.rowOf().userIds.add(userId);
    },
    flush: tally.flush,
  };
};
