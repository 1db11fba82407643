import type { Compilable, Kysely } from "kysely";
import { planAnew } from "./plan-anew.ts";

/** The used part of the JSON output of `explain`. */
type Explained = readonly [{ Plan: { "Plan Rows": number } }];

/** Returns the planner's estimate of a query's number of rows. */
export const estimateRows = async (
  db: Pick<Kysely<never>, "executeQuery">,
  query: Compilable<object>,
): Promise<number> => {
  const [row] = await planAnew<object>(db, query, "explain (format json) ");
  const [[{ Plan: plan }]] = Object.values(row ?? {}) as [Explained];
  return plan["Plan Rows"];
};
