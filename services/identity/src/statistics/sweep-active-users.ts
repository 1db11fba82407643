import { addDays, dayOf, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteActiveUsersBefore } from "./queries.ts";

const batchSize = 1_000;

/** A process that writes its counts later than this counts a user a second time. */
const daysKept = 7;

/** Deletes the active users of days whose counts are final. The counts stay. Returns the number. */
export const sweepActiveUsers = ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = addDays(dayOf(clock()), -daysKept);
  return inBatches(batchSize, (limit) => deleteActiveUsersBefore(db, before, limit));
};
