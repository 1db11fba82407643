import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, everyDay, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type ActivityCounts, listActivity } from "./queries.ts";

type AdminReadIdentityStatistics = typeof operations.identity.adminReadIdentityStatistics;

const none: ActivityCounts = { signUps: 0, signIns: 0, signInsFailed: 0, activeUsers: 0 };

/** Returns the activity by day, including zeros. Throws `VALIDATION_ERROR` for invalid days or too many. */
export const readIdentityStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadIdentityStatistics>,
): Promise<Answer<OperationReply<AdminReadIdentityStatistics>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  return { reply: { days: everyDay(range, await listActivity(deps.db, range), none) } };
};
