import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { pageQuery } from "../pages.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const mayList = {
  resource: "queue",
  action: "list",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_QUEUES",
} as const;
const mayUpdate = {
  resource: "queue",
  action: "update",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_QUEUES",
} as const;

const params = z.object({ name: plainText(64) });
const oneMessage = z.object({ id: plainText(255) });
/** False if the message has not failed, or no longer counts as failed. */
const success = z.object({ success: z.boolean() });

const failedMessage = z.object({
  /** The id of the event that it carries. */
  id: z.string(),
  event: z.string(),
  failedAt: timestamp,
  attempts: z.number(),
  reason: z.string(),
});

/** Operations of admins on events in transit between services and on failed messages. */
export const queueAdminOperations = operationGroup("Admin", {
  adminListQueues: operation({
    ...ofAdmin,
    name: "adminListQueues",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/queues",
    summary: "Counts the messages of each queue by state, and reports how fast it moves.",
    permission: mayList,
    reply: z.object({
      queues: z.array(
        z.object({
          /** The name of the service that consumes it. */
          name: z.string(),
          waiting: z.number(),
          active: z.number(),
          delayed: z.number(),
          failed: z.number(),
          /** Messages that were done within the last minute. Redis keeps at most 10,000 of them. */
          handledLastMinute: z.number(),
          /** Messages that were done within the last five minutes, with the same limit. */
          handledLastFiveMinutes: z.number(),
          /**
           * The time at which the next waiting message was published or, if it was attempted before, last attempted.
           * Absent if none waits.
           */
          oldestWaitingAt: timestamp.optional(),
        }),
      ),
    }),
    errors: [],
    repeatable: true,
  }),
  adminListFailedMessages: operation({
    ...ofAdmin,
    name: "adminListFailedMessages",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/queues/{name}/failed",
    summary: "Pages through the failed messages of a queue, newest first.",
    permission: mayList,
    params,
    query: z.object({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
    reply: z.object({
      messages: z.array(failedMessage),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: z.string().optional(),
    }),
    errors: ["NOT_FOUND"],
    repeatable: true,
  }),
  adminRetryMessage: operation({
    ...ofAdmin,
    name: "adminRetryMessage",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/queues/{name}/retry",
    summary: "Retries a message whose attempts have all failed.",
    permission: mayUpdate,
    params,
    body: oneMessage,
    reply: success,
    errors: ["NOT_FOUND"],
  }),
  adminDiscardMessage: operation({
    ...ofAdmin,
    name: "adminDiscardMessage",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/queues/{name}/discard",
    summary: "Discards a failed message. Its event is never applied.",
    permission: mayUpdate,
    params,
    body: oneMessage,
    reply: success,
    errors: ["NOT_FOUND"],
  }),
});
