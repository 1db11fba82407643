import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, everyDay, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listDays } from "./queries.ts";

type AdminReadMailStatistics = typeof operations.mailer.adminReadMailStatistics;

/**
 * How many mails were sent, given up and captured, by day. A mail that was given up and sent after a retry counts on both days.
 * Throws `VALIDATION_ERROR` for days that are none or too many.
 */
export const adminReadMailStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadMailStatistics>,
): Promise<Answer<OperationReply<AdminReadMailStatistics>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const days = await listDays(deps.db, range);
  return { reply: { days: everyDay(range, days, { sent: 0, failed: 0, captured: 0 }) } };
};
