import { z } from "zod";
import { applicationEvent } from "../../application-events.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import {
  delivery,
  deliveryDetails,
  deliveryFilter,
  endpoint,
  endpointBody,
  endpointChange,
  endpointWithSecret,
  eventFilter,
  hourRange,
  id,
  listedEndpoint,
  overlapSeconds,
  params,
  queued,
  range,
  recordedEvent,
  since,
  statistics,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "webhooks",
  exposure: "public",
  rateClass: "general",
  feature: "webhooks",
  access: "permission",
  refusesImpersonators: true,
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "webhook", action, refusal }) as const;

const mayList = may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_WEBHOOKS");
const mayCreate = may("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_WEBHOOKS");
const mayUpdate = may("update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_WEBHOOKS");
const mayRetry = may("retry", "YOU_ARE_NOT_ALLOWED_TO_RETRY_WEBHOOKS");
const mayRead = may("read", "YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");

/** The caller lacks the permission to list the objects of an event. */
const notOfCaller = "YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS";

/** Operations of admins on the webhooks of the installation and of all organizations. */
export const webhookAdminOperations = operationGroup("Admin", {
  adminListWebhooks: operation({
    ...ofAdmin,
    name: "adminListWebhooks",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/webhooks",
    summary: "Searches and pages through webhooks, newest first.",
    permission: mayList,
    query: z.object({
      ...pageQuery,
      /** A part of the URL or the description, in any case. */
      searchValue: plainText(255).optional(),
      organizationId: id.optional(),
      state: endpoint.shape.state.optional(),
      /** Only the webhooks with these ids. */
      ids: oneOrMore.optional(),
      /** `condition`: failing ones, then those that are disabled or paused because they failed, paused and active ones. Default: `createdAt`. */
      sortBy: z.enum(["createdAt", "condition"]).optional(),
    }),
    reply: z.object({ webhooks: z.array(listedEndpoint), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminGetWebhook: operation({
    ...ofAdmin,
    name: "adminGetWebhook",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/webhooks/{id}",
    summary: "Shows a webhook without its secret.",
    permission: mayList,
    params,
    reply: endpoint,
    errors: ["WEBHOOK_NOT_FOUND"],
    repeatable: true,
  }),
  adminCreateWebhook: operation({
    ...ofAdmin,
    name: "adminCreateWebhook",
    stepUp: stepUps.webhook,
    method: "POST",
    path: "/admin/webhooks",
    summary:
      "Creates a webhook and shows its secret this once. Needs the permission to list the objects of its events.",
    permission: mayCreate,
    refusesApiKeys: true,
    body: z.object({ ...endpointBody, organizationId: id.optional() }),
    reply: endpointWithSecret,
    errors: [
      "WEBHOOK_URL_NOT_ALLOWED",
      "WEBHOOK_CONTACT_NOT_ALLOWED",
      "WEBHOOK_LIMIT_REACHED",
      notOfCaller,
    ],
  }),
  adminUpdateWebhook: operation({
    ...ofAdmin,
    name: "adminUpdateWebhook",
    stepUp: stepUps.webhook,
    method: "POST",
    path: "/admin/webhooks/{id}/update",
    summary: "Changes the URL, the description, the events or the contact of a webhook.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    body: z.object(endpointChange),
    reply: endpoint,
    errors: [
      "WEBHOOK_NOT_FOUND",
      "WEBHOOK_URL_NOT_ALLOWED",
      "WEBHOOK_CONTACT_NOT_ALLOWED",
      notOfCaller,
    ],
  }),
  adminRotateWebhookSecret: operation({
    ...ofAdmin,
    name: "adminRotateWebhookSecret",
    stepUp: stepUps.webhook,
    method: "POST",
    path: "/admin/webhooks/{id}/rotate-secret",
    summary:
      "Replaces the secret of a webhook and shows the new one this once. The former one signs too during the overlap.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params,
    body: z.object({ overlapSeconds }),
    reply: endpointWithSecret,
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminPauseWebhook: operation({
    ...ofAdmin,
    name: "adminPauseWebhook",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/webhooks/{id}/pause",
    summary: "Pauses a webhook. Its events wait until it is resumed.",
    permission: mayUpdate,
    params,
    reply: endpoint,
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminResumeWebhook: operation({
    ...ofAdmin,
    name: "adminResumeWebhook",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/webhooks/{id}/resume",
    summary: "Resumes a paused or disabled webhook and sends the waiting events at once.",
    permission: mayUpdate,
    params,
    reply: endpoint,
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminTestWebhook: operation({
    ...ofAdmin,
    name: "adminTestWebhook",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/webhooks/{id}/test",
    summary: "Queues a test event for a webhook.",
    permission: mayRetry,
    params,
    reply: delivery,
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminDeleteWebhook: operation({
    ...ofAdmin,
    name: "adminDeleteWebhook",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/webhooks/{id}/delete",
    summary: "Deletes a webhook with its deliveries.",
    permission: may("delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_WEBHOOKS"),
    params,
    reply: z.object({ success: z.boolean() }),
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminListWebhookDeliveries: operation({
    ...ofAdmin,
    name: "adminListWebhookDeliveries",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/webhook-deliveries",
    summary: "Searches and pages through deliveries of events, newest first.",
    permission: mayList,
    query: z.object({ ...pageQuery, ...deliveryFilter }),
    reply: z.object({ deliveries: z.array(delivery), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminGetWebhookDelivery: operation({
    ...ofAdmin,
    name: "adminGetWebhookDelivery",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/webhook-deliveries/{id}",
    summary: "Shows a delivery with its request, without the signature, and the responses.",
    permission: mayRead,
    params,
    reply: deliveryDetails,
    errors: ["WEBHOOK_DELIVERY_NOT_FOUND"],
    repeatable: true,
  }),
  adminRetryWebhookDelivery: operation({
    ...ofAdmin,
    name: "adminRetryWebhookDelivery",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/webhook-deliveries/{id}/retry",
    summary: "Retries a delivery that has failed.",
    permission: mayRetry,
    params,
    reply: delivery,
    errors: ["WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DELIVERY_HAS_NOT_FAILED", notOfCaller],
  }),
  adminRetryFailedWebhookDeliveries: operation({
    ...ofAdmin,
    name: "adminRetryFailedWebhookDeliveries",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/webhooks/{id}/retry-failed",
    summary: "Retries all deliveries of a webhook that failed since a time.",
    permission: mayRetry,
    params,
    body: since,
    reply: queued,
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminReplayWebhookEvents: operation({
    ...ofAdmin,
    name: "adminReplayWebhookEvents",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/webhooks/{id}/replay",
    summary:
      "Sends the events of a period again, in their order, also those that the webhook has received. The end is excluded.",
    permission: mayRetry,
    params,
    /** `after` continues a replay whose reply had `hasMore`. */
    body: range.extend({ after: z.string().max(32).optional() }),
    reply: queued.extend({
      /** The `after` of the next call. Null if nothing is left. */
      next: z.string().nullable(),
    }),
    errors: ["WEBHOOK_NOT_FOUND", notOfCaller],
  }),
  adminReadWebhookStatistics: operation({
    ...ofAdmin,
    name: "adminReadWebhookStatistics",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/webhooks/{id}/statistics",
    summary: "Counts the successes and failures of a webhook and measures its latency, by hour.",
    permission: mayList,
    params,
    query: z.object(hourRange),
    reply: statistics,
    errors: ["WEBHOOK_NOT_FOUND"],
    repeatable: true,
  }),
  adminListEvents: operation({
    ...ofAdmin,
    name: "adminListEvents",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/events",
    summary:
      "Returns the events after a cursor, oldest first. Events that the caller may not read are left out.",
    permission: mayRead,
    query: z.object({
      /** The `cursor` of the last reply. Without it, the list begins with the oldest event. */
      after: z.string().max(32).optional(),
      limit: pageQuery.limit,
    }),
    reply: z.object({
      events: z.array(applicationEvent),
      /** The position up to which events were read. */
      cursor: z.string(),
      hasMore: z.boolean(),
    }),
    errors: [],
    repeatable: true,
  }),
  adminSearchEvents: operation({
    ...ofAdmin,
    name: "adminSearchEvents",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/search-events",
    summary:
      "Searches and pages through events, newest first, with the states of their deliveries. Events that the caller may not read are left out.",
    permission: mayRead,
    query: z.object({ limit: pageQuery.limit, cursor: pageQuery.cursor, ...eventFilter }),
    reply: z.object({
      events: z.array(recordedEvent),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: pageTotals.nextCursor,
    }),
    errors: [],
    repeatable: true,
  }),
  adminReplayEvent: operation({
    ...ofAdmin,
    name: "adminReplayEvent",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/events/{id}/replay",
    summary:
      "Sends an event again at once, to one webhook or to all that receive such events. Webhooks with events that the caller may not read are left out.",
    permission: mayRetry,
    params,
    body: z.object({ webhookId: id.optional() }),
    /** The number of webhooks to which it is sent. */
    reply: z.object({ count: z.number() }),
    errors: ["EVENT_NOT_FOUND", "WEBHOOK_NOT_FOUND", notOfCaller],
  }),
});
