import { addDays, dayOf, inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteActiveUsersBefore } from "./queries.ts";

const batchSize = 1_000;

/** Who has not written what they counted for so long counts a user a second time. */
const daysKept = 7;

/** Deletes who was active on days of which nothing more will be counted; how many there were stays. Gives how many. */
export const sweepActiveUsers = ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = addDays(dayOf(clock()), -daysKept);
  return inBatches(batchSize, (limit) => deleteActiveUsersBefore(db, before, limit));
};
