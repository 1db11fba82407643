import type { RefusalReason } from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit/database";
import { type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import { addDays, createDailyTally, dayOf } from "@latchkey/service-kit/statistics";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import {
  createLastSignInTally,
  createRefusalTally,
  type Refusal,
} from "../refused-sign-ins/refusal-tally.ts";
import {
  type ActivityRow,
  addActivity,
  addMethods,
  addRefusalCounts,
  countNames,
  deleteActiveUsersBefore,
  type MethodRow,
  type RefusalCountRow,
} from "./queries.ts";

/** The browser or program of a sign-in. */
export interface SignInClient {
  ipAddress: string;
  userAgent: string;
}

/** Counts activity in memory and writes it in batches, so that no sign-in waits for it. */
export interface ActivityTally {
  recordSignUp(): void;
  recordSignIn(userId: string, methods?: readonly string[], client?: SignInClient): void;
  /** Counts a refused sign-in by its reason, and records it for a user if it names a known one. */
  recordRefusedSignIn(reason: RefusalReason, user?: Omit<Refusal, "reason">): void;
  /** Records that a session of the user was extended. */
  recordUse(userId: string): void;
  /** Writes the counts. If that fails, they are kept for the next time. */
  flush(): Promise<void>;
}

interface Needs {
  clock: () => number;
  db: Kysely<Tables>;
}

const createMethodTally = ({ clock, db }: Needs) =>
  createDailyTally<string, MethodRow>({
    clock,
    nameOf: (method) => method,
    newRow: (method, day) => ({ day, method, signIns: 0 }),
    add: (to, from) => {
      to.signIns += from.signIns;
    },
    write: (rows) => addMethods(db, rows),
  });

const createReasonTally = ({ clock, db }: Needs) =>
  createDailyTally<RefusalReason, RefusalCountRow>({
    clock,
    nameOf: (reason) => reason,
    newRow: (reason, day) => ({ day, reason, refusals: 0 }),
    add: (to, from) => {
      to.refusals += from.refusals;
    },
    write: (rows) => addRefusalCounts(db, rows),
  });

/** Creates a tally by day in UTC. Counts that a process has not written when it is killed are lost. */
export const createActivityTally = ({ clock, db }: Needs): ActivityTally => {
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
  const methodTally = createMethodTally({ clock, db });
  const reasonTally = createReasonTally({ clock, db });
  const refusals = createRefusalTally({ clock, db });
  const lastSignIns = createLastSignInTally({ clock, db });
  return {
    recordSignUp: () => {
      tally.rowOf().signUps += 1;
    },
    recordSignIn: (userId, methods = [], client) => {
      const row = tally.rowOf();
      row.signIns += 1;
      row.userIds.add(userId);
      for (const method of new Set(methods)) methodTally.rowOf(method).signIns += 1;
      if (client) lastSignIns.record({ ...client, userId, methods: methods.join(",") });
    },
    recordRefusedSignIn: (reason, user) => {
      tally.rowOf().signInsFailed += 1;
      reasonTally.rowOf(reason).refusals += 1;
      if (user) refusals.record({ ...user, reason });
    },
    recordUse: (userId) => {
      tally.rowOf().userIds.add(userId);
    },
    flush: async () => {
      await tally.flush();
      await methodTally.flush();
      await reasonTally.flush();
      await refusals.flush();
      await lastSignIns.flush();
    },
  };
};

/** Wraps a tally to count the activity in the metrics as well, without names. */
export const observeActivity = (tally: ActivityTally, metrics: Metrics): ActivityTally => {
  const signUps = registerCounter(metrics, {
    name: "sign_ups_total",
    help: "Users who signed up",
  });
  const signIns = registerCounter(metrics, {
    name: "sign_ins_total",
    help: "Sign-ins of all methods, by outcome",
    labels: ["outcome"],
  });
  return {
    ...tally,
    recordSignUp: () => {
      signUps.inc();
      tally.recordSignUp();
    },
    recordSignIn: (userId, methods, client) => {
      signIns.inc({ outcome: "done" });
      tally.recordSignIn(userId, methods, client);
    },
    recordRefusedSignIn: (reason, user) => {
      signIns.inc({ outcome: "refused" });
      tally.recordRefusedSignIn(reason, user);
    },
  };
};

const batchSize = 1_000;

/** A process that writes its counts later than this counts a user a second time. */
const daysKept = 7;

/** Deletes the active users of days whose counts are final. The counts stay. Returns the number. */
export const sweepActiveUsers = ({ clock, db }: Needs): Promise<number> => {
  const before = addDays(dayOf(clock()), -daysKept);
  return inBatches(batchSize, (limit) => deleteActiveUsersBefore(db, before, limit));
};
