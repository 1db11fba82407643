import {
  type OperationReply,
  type operations,
  statisticsDaysMax,
  WireError,
} from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit/database";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { addDays, dayOf, everyDay, readDayRange } from "@latchkey/service-kit/statistics";
import type { KeyOwner } from "../db/key-row.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  hasOrganizationKeys,
} from "../organizations/organization-calls.ts";
import {
  deleteUsageBefore,
  findOrganizationOfKey,
  isKeyKnown,
  listUsage,
  listUsageTotals,
  type UsageOwner,
} from "./queries.ts";

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

/** Returns the owner that a key must have for the caller to read its usage: the caller, or an organization whose role permits it. */
const chooseOwner = async (
  deps: CheckMemberNeeds & Pick<Deps, "db">,
  acting: ActingMember,
  keyId: string,
): Promise<KeyOwner> => {
  const organizationId = hasOrganizationKeys(deps)
    ? await findOrganizationOfKey(deps.db, keyId)
    : undefined;
  if (organizationId === undefined) return { userId: acting.session.user.id };
  await checkMember(deps, acting, { organizationId, action: "read", stranger: "KEY_NOT_FOUND" });
  return { organizationId };
};

/**
 * Returns the daily outcomes of the uses of a key of the caller or of an organization, for the last 30 days by default, also of a deleted
 * key. Throws `KEY_NOT_FOUND`, also for keys of others, `VALIDATION_ERROR` for invalid or too many days, and the errors of `checkMember`.
 */
export const readApiKeyUsage: Handler<"readApiKeyUsage"> = async (deps, call) => {
  const { id: keyId, ...days } = call.query;
  return read(deps, { keyId, owner: await chooseOwner(deps, call, keyId) }, days);
};

/** Does the same for a key of any owner. Throws `KEY_NOT_FOUND` and `VALIDATION_ERROR`. */
export const adminReadApiKeyUsage: Handler<"adminReadApiKeyUsage"> = (deps, { params, query }) =>
  read(deps, { keyId: params.id }, query);

const none = { valid: 0, refused: 0 };

/**
 * Returns the daily outcomes of the uses of all keys, for the last 30 days by default. Throws `VALIDATION_ERROR` for invalid or too many
 * days.
 */
export const adminReadApiKeyStatistics: Handler<"adminReadApiKeyStatistics"> = async (
  deps,
  { query },
) => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const rows = await listUsageTotals(deps.db, range);
  return { reply: { days: everyDay(range, rows, none) } };
};

const batchSize = 1_000;

/** Deletes counts that are older than the configured retention. */
export const sweepUsage = async ({
  config,
  db,
  clock,
}: Pick<Deps, "clock" | "config" | "db">): Promise<void> => {
  const before = addDays(dayOf(clock()), -config.apiKey.usageRetentionDays);
  await inBatches(batchSize, (limit) => deleteUsageBefore(db, before, limit));
};
