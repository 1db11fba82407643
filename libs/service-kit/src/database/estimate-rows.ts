import type { Compilable, Kysely } from "kysely";
import { planAnew } from "./plan-anew.ts";

/** What `explain` gives in JSON, as far as it is of use here. */
type Explained = readonly [{ Plan: { "Plan Rows": number } }];

/** How many rows a query would give, as the planner's statistics have it. */
export const estimateRows = async (
  db: Pick<Kysely<never>, "executeQuery">,
  query: Compilable<object>,
): Promise<number> => {
  const [row] = await planAnew<object>(db, query, "explain (format json) ");
  const [[{ Plan: plan }]] = Object.values(row ?? {}) as [Explained];
  return plan["Plan Rows"];
};
