import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, everyDay, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listUsageTotals } from "./queries.ts";

type AdminReadApiKeyStatistics = typeof operations.apikey.adminReadApiKeyStatistics;

const none = { valid: 0, refused: 0 };

/**
 * What came of the uses of all keys together on every day of some, the last 30 where nothing else is asked. Throws
 * `VALIDATION_ERROR` for days that are none or too many.
 */
export const adminReadApiKeyStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadApiKeyStatistics>,
): Promise<Answer<OperationReply<AdminReadApiKeyStatistics>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const rows = await listUsageTotals(deps.db, range);
  return { reply: { days: everyDay(range, rows, none) } };
};
