import { type OperationReply, type operations, statisticsDaysMax } from "@latchkey/contracts";
import { type Answer, type Call, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listMethods } from "./queries.ts";

type AdminReadSignInMethods = typeof operations.identity.adminReadSignInMethods;

/** Returns the sign-ins by day and method, without zeros. Throws `VALIDATION_ERROR` for invalid days or too many. */
export const readSignInMethods = async (
  deps: Pick<Deps, "clock" | "db">,
  { query }: Call<AdminReadSignInMethods>,
): Promise<Answer<OperationReply<AdminReadSignInMethods>>> => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  return { reply: { counts: await listMethods(deps.db, range) } };
};
