import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, everyDay, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listUsageTotals } from "./queries.ts";

type AdminReadApiKeyStatistics = typeof operations.apikey.adminReadApiKeyStatistics;

const none = { valid: 0, refused: 0 };

/**
 * Returns the daily outcomes of the uses of all keys, for the last 30 days by default. Throws `VALIDATION_ERROR` for invalid or too many
 * days.
 */
export const adminReadApiKeyStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadApiKeyStatistics>,
): Promise<Answer<OperationReply<AdminReadApiKeyStatistics>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const rows = await listUsageTotals(deps.db, range);
  return { reply: { days: everyDay(range, rows, none) } };
};
