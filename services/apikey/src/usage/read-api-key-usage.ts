import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, refuseQuery } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isKeyKnown, listUsage, type UsageOwner, type UsageRange } from "./queries.ts";
import { addDays, countDays, dayOf } from "./usage-days.ts";

type ReadApiKeyUsage = typeof operations.apikey.readApiKeyUsage;
type AdminReadApiKeyUsage = typeof operations.apikey.adminReadApiKeyUsage;

const daysDefault = 30;
const daysMax = 366;
/** Nothing was counted before. */
const firstDay = "1970-01-01";

/** The days that a query asks for. Throws `VALIDATION_ERROR` for none and for too many. */
const readRange = (
  { clock }: Pick<Deps, "clock">,
  query: { from?: string | undefined; to?: string | undefined },
): UsageRange => {
  for (const name of ["from", "to"] as const)
    if ((query[name] ?? firstDay) < firstDay) refuseQuery(name, `must not be before ${firstDay}`);
  const to = query.to ?? dayOf(clock());
  const from = query.from ?? addDays(to, 1 - daysDefault);
  if (from > to) refuseQuery("from", "must not be after `to`");
  if (countDays(from, to) > daysMax)
    refuseQuery("from", `must be one of the ${daysMax} days up to \`to\``);
  return { from, to };
};

const read = async (
  deps: Pick<Deps, "clock" | "db">,
  owner: UsageOwner,
  query: Parameters<typeof readRange>[1],
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> => {
  const range = readRange(deps, query);
  const days = await listUsage(deps.db, { ...owner, ...range });
  if (days.length === 0 && !(await isKeyKnown(deps.db, owner)))
    throw new WireError("KEY_NOT_FOUND");
  return { reply: { days } };
};

/**
 * What came of the uses of a key of the caller, by day, the last 30 days where nothing else is asked; also of one that is gone.
 * Throws `KEY_NOT_FOUND`, also for keys of others, and `VALIDATION_ERROR` for days that are none or too many.
 */
export const readApiKeyUsage = (
  deps: Pick<Deps, "clock" | "db">,
  { query: { id, ...days }, session }: Call<ReadApiKeyUsage>,
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> =>
  read(deps, { keyId: id, userId: session.user.id }, days);

/** The same of a key of anybody. Throws `KEY_NOT_FOUND` and `VALIDATION_ERROR`. */
export const adminReadApiKeyUsage = (
  deps: Pick<Deps, "clock" | "db">,
  { params, query }: Call<AdminReadApiKeyUsage>,
): Promise<Answer<OperationReply<AdminReadApiKeyUsage>>> => read(deps, { keyId: params.id }, query);
