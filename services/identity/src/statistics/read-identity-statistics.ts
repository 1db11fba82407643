import { statisticsDaysMax } from "@latchkey/contracts";
import { everyDay, readDayRange } from "@latchkey/service-kit/statistics";
import type { Handler } from "../deps.ts";
import { type ActivityCounts, listActivity, listMethods, listRefusalCounts } from "./queries.ts";

const none: ActivityCounts = { signUps: 0, signIns: 0, signInsFailed: 0, activeUsers: 0 };

/** Returns the activity by day, including zeros. Throws `VALIDATION_ERROR` for invalid days or too many. */
export const adminReadIdentityStatistics: Handler<"adminReadIdentityStatistics"> = async (
  deps,
  { query },
) => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  return { reply: { days: everyDay(range, await listActivity(deps.db, range), none) } };
};

/** Returns the sign-ins by day and method, and the refused ones by day and reason, without zeros. Throws `VALIDATION_ERROR` for invalid days or too many. */
export const adminReadSignInMethods: Handler<"adminReadSignInMethods"> = async (
  deps,
  { query },
) => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const [counts, refusals] = await Promise.all([
    listMethods(deps.db, range),
    listRefusalCounts(deps.db, range),
  ]);
  return { reply: { counts, refusals } };
};
