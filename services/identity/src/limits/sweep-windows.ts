import { inBatches } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deletePassedWindows } from "./queries.ts";

const batchSize = 1_000;

/** Deletes the passed windows of limits. Returns the number. */
export const sweepWindows = ({ db }: Pick<Deps, "db">): Promise<number> =>
  inBatches(batchSize, (limit) => deletePassedWindows(db, limit));
