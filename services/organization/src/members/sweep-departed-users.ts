import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteDeparted } from "./queries.ts";

/** Far longer than the lifetime of a gateway's signed caller. */
const keptMilliseconds = 3_600_000;
const batchSize = 1_000;

/** Deletes records of departed users that are so old that no request of theirs can be in flight. */
export const sweepDepartedUsers = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(batchSize, (limit) => deleteDeparted(db, before, limit));
};
