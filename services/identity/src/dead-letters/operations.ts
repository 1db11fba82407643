import {
  eventCatalogue,
  presentServices,
  type ServiceName,
  WireError,
  type operations,
  type FactName,
} from "@latchkey/contracts";
import { appendAudit, type AuditEntry, sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import { readPage, takePage } from "@latchkey/service-kit/lists";
import type { Deps, Handler, AnswerOf } from "../deps.ts";

const consuming: ReadonlySet<string> = new Set(
  Object.values(eventCatalogue).flatMap<ServiceName>(({ consumers }) => consumers),
);

/** Returns the queues in use, each by the name of the service that consumes it. */
const queueNames = ({ config }: Pick<Deps, "config">): readonly string[] =>
  presentServices(config).filter((name) => consuming.has(name));

/** Throws `NOT_FOUND` for an unknown queue, because the stores accept any name. */
const checkQueue = (name: string): void => {
  if (!consuming.has(name)) throw new WireError("NOT_FOUND");
};

/** Returns for each queue its messages by state, how many were handled lately, and how long the next one waits. */
export const adminListQueues: Handler<"adminListQueues"> = async ({ bus, config }) => {
  const queues = queueNames({ config }).map(async (name) => {
    const [counts, pace] = await Promise.all([bus.counts(name), bus.pace(name)]);
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return Object.assign({ name, waiting, active, delayed, failed }, pace);
  });
  return { reply: { queues: await Promise.all(queues) } };
};

/**
 * Returns a page of a queue's dead letters, the latest first, without their data. Throws `NOT_FOUND`, and
 * `VALIDATION_ERROR` for an invalid limit or cursor.
 */
export const adminListFailedMessages: Handler<"adminListFailedMessages"> = async (
  { bus },
  { params: { name }, query },
) => {
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

type AdminRetryMessage = typeof operations.identity.adminRetryMessage;
type AdminDiscardMessage = typeof operations.identity.adminDiscardMessage;

type Needs = Pick<Deps, "bus" | "clock" | "db">;

/** The audit actions before and after the request to the bus. */
const actions = {
  retry: ["queue.retry-requested", "queue.retried"],
  discard: ["queue.discard-requested", "queue.discarded"],
} as const;

/**
 * Retries or discards a message. The bus decides which of several concurrent requests does it. The bus shares no
 * transaction with the audit. The admin is therefore recorded before the request, and the outcome afterwards. Throws
 * `NOT_FOUND` for an unknown queue.
 */
const changeMessage = async (
  deps: Needs,
  call: Call<AdminRetryMessage | AdminDiscardMessage>,
  change: "retry" | "discard",
): Promise<AnswerOf<"adminRetryMessage">> => {
  const { name } = call.params;
  const { id } = call.body;
  checkQueue(name);
  const recordAct = (action: FactName, outcome?: AuditEntry["outcome"]) =>
    appendAudit(deps.db, deps, {
      actor: sessionActor(call.session),
      subject: { kind: "queue", id: name },
      action,
      caller: call.caller,
      after: { messageId: id },
      ...(outcome && { outcome }),
    });
  const [requested, done] = actions[change];
  await recordAct(requested);
  const success = await deps.bus[change](name, id);
  await recordAct(done, success ? "success" : "refused");
  return { reply: { success } };
};

/**
 * Gives a failed message all its tries again. Only one of several concurrent calls does it. Throws `NOT_FOUND` for an
 * unknown queue.
 */
export const adminRetryMessage: Handler<"adminRetryMessage"> = (deps, call) =>
  changeMessage(deps, call, "retry");

/**
 * Discards a failed message, so that it counts as done. Only one of several concurrent calls does it. Throws `NOT_FOUND`
 * for an unknown queue.
 */
export const adminDiscardMessage: Handler<"adminDiscardMessage"> = (deps, call) =>
  changeMessage(deps, call, "discard");
