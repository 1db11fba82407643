import { createDailyTally } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type ActivityRow, addActivity, countNames } from "./queries.ts";

/** What goes on, counted here and written in batches, so that nobody who signs in waits for it. */
export interface ActivityTally {
  noteSignUp(): void;
  noteSignIn(userId: string): void;
  /** Of anybody: no name is kept. */
  noteRefusedSignIn(): void;
  /** A session of the user was extended. */
  noteUse(userId: string): void;
  /** Writes what was counted; where that fails it stays counted. */
  flush(): Promise<void>;
}

/** Counts in memory, by day of UTC. What a process has not written when it is killed is lost. */
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
