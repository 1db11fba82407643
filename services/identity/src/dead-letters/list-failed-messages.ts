import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkQueue } from "./check-queue.ts";

type AdminListFailedMessages = typeof operations.identity.adminListFailedMessages;

/**
 * Returns a page of a queue's dead letters, the latest first, without their data. Throws `NOT_FOUND`, and
 * `VALIDATION_ERROR` for an invalid limit or cursor.
 */
export const listFailedMessages = async (
  { bus }: Pick<Deps, "bus">,
  { params: { name }, query }: Call<AdminListFailedMessages>,
): Promise<Answer<OperationReply<AdminListFailedMessages>>> => {
  checkQueue(name);
  const page = readPage({ by: "failedAt", direction: "desc", type: "time" }, query);
  const after = page.after && { failedAt: new Date(page.after.key ?? 0), id: page.after.id };
  const messages = await bus.failed(name, { limit: page.limit + 1, after });
  const { rows, ...next } = takePage(page, messages, ({ failedAt: key, id }) => ({ key, id }));
  return {
    reply: {
      messages: rows.map(({ id, name: event, failedAt, attempts, reason }) => ({
        id,
        event,
        failedAt,
        attempts,
        reason,
      })),
      ...next,
    },
  };
};
