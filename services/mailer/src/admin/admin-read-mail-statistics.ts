import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, everyDay, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listDays } from "./queries.ts";

type AdminReadMailStatistics = typeof operations.mailer.adminReadMailStatistics;

/**
 * Returns the number of sent, failed and captured mails by day. A mail that failed and was sent after a retry counts on both
 * days. Throws `VALIDATION_ERROR` for an invalid range or too many days.
 */
export const adminReadMailStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadMailStatistics>,
): Promise<Answer<OperationReply<AdminReadMailStatistics>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const days = await listDays(deps.db, range);
  return { reply: { days: everyDay(range, days, { sent: 0, failed: 0, captured: 0 }) } };
};
