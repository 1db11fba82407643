import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { countPendingOf } from "../deliveries/queries.ts";
import type { Deps } from "../deps.ts";
import { listHours } from "./queries.ts";
import { getEndpoint } from "../endpoints/change-endpoint.ts";

type AdminReadWebhookStatistics = typeof operations.webhooks.adminReadWebhookStatistics;

const hourMilliseconds = 3_600_000;
const hoursMax = 24 * 31;
const hoursDefault = 24;

const hourOf = (milliseconds: number): number => milliseconds - (milliseconds % hourMilliseconds);

const readHours = (
  { clock }: Pick<Deps, "clock">,
  query: { from?: string | undefined; to?: string | undefined },
): { from: Date; to: Date } => {
  const to = hourOf(query.to ? Date.parse(query.to) : clock());
  const from = query.from
    ? hourOf(Date.parse(query.from))
    : to - (hoursDefault - 1) * hourMilliseconds;
  if (from > to || to - from >= hoursMax * hourMilliseconds)
    throw new WireError("VALIDATION_ERROR", {
      message: "Invalid query parameters",
      issues: [{ path: "from", message: `must be at most ${hoursMax} hours before "to"` }],
    });
  return { from: new Date(from), to: new Date(to) };
};

/** Returns the figures of each hour, oldest first, also of hours without attempts. Throws `WEBHOOK_NOT_FOUND`. */
export const adminReadWebhookStatistics = async (
  deps: Pick<Deps, "clock" | "db">,
  { params: { id }, query }: Call<AdminReadWebhookStatistics>,
): Promise<Answer<OperationReply<AdminReadWebhookStatistics>>> => {
  const { from, to } = readHours(deps, query);
  await getEndpoint(deps, { id });
  const [hours, pending] = await Promise.all([
    listHours(deps.db, { endpointId: id, from, to }),
    countPendingOf(deps.db, id),
  ]);
  return { reply: { hours, pending } };
};
