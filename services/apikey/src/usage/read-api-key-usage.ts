import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isKeyKnown, listUsage, type UsageOwner } from "./queries.ts";

type ReadApiKeyUsage = typeof operations.apikey.readApiKeyUsage;
type AdminReadApiKeyUsage = typeof operations.apikey.adminReadApiKeyUsage;

const daysMax = 366;

const read = async (
  deps: Pick<Deps, "clock" | "db">,
  owner: UsageOwner,
  query: Call<AdminReadApiKeyUsage>["query"],
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> => {
  const range = readDayRange(deps, query, daysMax);
  const days = await listUsage(deps.db, { ...owner, ...range });
  if (days.length === 0 && !(await isKeyKnown(deps.db, owner)))
    throw new WireError("KEY_NOT_FOUND");
  return { reply: { days } };
};

/**
 * Returns the daily outcomes of the uses of a key of the caller, for the last 30 days by default, also of a deleted key. Throws
 * `KEY_NOT_FOUND`, also for keys of others, and `VALIDATION_ERROR` for invalid or too many days.
 */
export const readApiKeyUsage = (
  deps: Pick<Deps, "clock" | "db">,
  { query: { id, ...days }, session }: Call<ReadApiKeyUsage>,
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> =>
  read(deps, { keyId: id, userId: session.user.id }, days);

/** Does the same for any user's key. Throws `KEY_NOT_FOUND` and `VALIDATION_ERROR`. */
export const adminReadApiKeyUsage = (
  deps: Pick<Deps, "clock" | "db">,
  { params, query }: Call<AdminReadApiKeyUsage>,
): Promise<Answer<OperationReply<AdminReadApiKeyUsage>>> => read(deps, { keyId: params.id }, query);
