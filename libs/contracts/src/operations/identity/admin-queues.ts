import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { pageQuery } from "../pages.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  feature: "admin",
  access: "permission",
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
/** False where the message has not failed, or not any more. */
const success = z.object({ success: z.boolean() });

const failedMessage = z.object({
  /** That of the event that it carries. */
  id: z.string(),
  event: z.string(),
  failedAt: timestamp,
  attempts: z.number(),
  reason: z.string(),
});

/** What admins see of events on their way between services, and do with those that were given up. */
export const queueAdminOperations = {
  adminListQueues: operation({
    ...ofAdmin,
    name: "adminListQueues",
    method: "GET",
    path: "/admin/queues",
    summary: "Counts the messages of each queue by how they stand.",
    permission: mayList,
    reply: z.object({
      queues: z.array(
        z.object({
          /** That of the service that takes from it. */
          name: z.string(),
          waiting: z.number(),
          active: z.number(),
          delayed: z.number(),
          failed: z.number(),
        }),
      ),
    }),
    errors: [],
    repeatable: true,
  }),
  adminListFailedMessages: operation({
    ...ofAdmin,
    name: "adminListFailedMessages",
    method: "GET",
    path: "/admin/queues/{name}/failed",
    summary: "Pages through the messages of a queue that were given up, the last one first.",
    permission: mayList,
    params,
    query: z.object({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
    reply: z.object({
      messages: z.array(failedMessage),
      /** Gives the next page, as `cursor`; absent on the last one. */
      nextCursor: z.string().optional(),
    }),
    errors: ["NOT_FOUND"],
    repeatable: true,
  }),
  adminRetryMessage: operation({
    ...ofAdmin,
    name: "adminRetryMessage",
    method: "POST",
    path: "/admin/queues/{name}/retry",
    summary: "Gives a message that has failed all its tries again.",
    permission: mayUpdate,
    params,
    body: oneMessage,
    reply: success,
    errors: ["NOT_FOUND"],
  }),
  adminDiscardMessage: operation({
    ...ofAdmin,
    name: "adminDiscardMessage",
    method: "POST",
    path: "/admin/queues/{name}/discard",
    summary: "Gives up a message that has failed for good: what it asked for is not done.",
    permission: mayUpdate,
    params,
    body: oneMessage,
    reply: success,
    errors: ["NOT_FOUND"],
  }),
} as const;
