import { z } from "zod";
import {
  applicationEvent,
  applicationEventTypes,
  testEventType,
} from "../../application-events.ts";
import { emailAddress } from "../../email-schemas.ts";
import { plainText, timestamp } from "../../plain-text.ts";

export const id = plainText(255).min(1);
export const params = z.object({ id });

/** Seconds for which the former secret still signs after a rotation: at most a week. */
const overlapSecondsMax = 604_800;
export const overlapSeconds = z.int().min(0).max(overlapSecondsMax).default(86_400);

/** Types of events. An empty list stands for every event, also of types that a later version adds. */
const eventTypes = z.array(z.enum(applicationEventTypes)).max(100);

/** The members of an endpoint that its owner sets. */
export const endpointBody = {
  url: plainText(2048).min(1),
  description: plainText(255).optional(),
  events: eventTypes.default([]),
  /**
   * Gets a mail when the endpoint is paused. It must be the proven address of a user, and of a member if members set it. Default: the
   * user who creates it.
   */
  contactEmail: emailAddress.optional(),
};

export const endpointChange = {
  url: endpointBody.url.optional(),
  description: endpointBody.description,
  events: eventTypes.optional(),
  contactEmail: endpointBody.contactEmail,
};

/**
 * `active`: events are sent. `paused`: by a user, or because it failed for long; events wait. `disabled`: the receiver answered 410; later
 * events are not recorded for it.
 */
const endpointState = z.enum(["active", "paused", "disabled"]);

export const endpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  /** Only events of this organization are sent. Null for those of the whole installation. */
  organizationId: z.string().nullable(),
  contactEmail: z.string(),
  state: endpointState,
  /**
   * Why it is paused or disabled: a user, lasting failures, the answer 410, or `webhooks.organizations.enabled` is off. Null while it is
   * active.
   */
  stateReason: z.enum(["user", "failures", "gone", "not-allowed"]).nullable(),
  /** Time of the first failure since the last success. Null while it succeeds. */
  failingSince: timestamp.nullable(),
  /** Time of the last accepted attempt, exact to a minute. */
  lastSuccessAt: timestamp.nullable(),
  lastFailureAt: timestamp.nullable(),
  /** Until when the former secret signs too. Null without one. */
  formerSecretUntil: timestamp.nullable(),
  createdBy: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type WebhookEndpoint = z.output<typeof endpoint>;

/** An endpoint in a list, with its attempts of the last 24 hours. */
export const listedEndpoint = endpoint.extend({
  deliveredLastDay: z.number(),
  failedAttemptsLastDay: z.number(),
});

/** An endpoint with its new secret, which is shown this once. */
export const endpointWithSecret = endpoint.extend({ secret: z.string() });

export const deliveryState = z.enum(["pending", "delivered", "failed"]);

export const delivery = z.object({
  id: z.string(),
  endpointId: z.string(),
  /** The `webhook-id`, which is the same for all deliveries of an event. */
  eventId: z.string(),
  eventType: z.string(),
  subject: z.object({ kind: z.string(), id: z.string() }),
  state: deliveryState,
  attempts: z.number(),
  /** Status of the last response. Null without one. */
  lastStatus: z.number().nullable(),
  /** Why the last attempt failed. Null after a success. */
  lastError: z.string().nullable(),
  /** Whether it repeats an earlier event on request. */
  isReplay: z.boolean(),
  createdAt: timestamp,
  settledAt: timestamp.nullable(),
});
export type WebhookDelivery = z.output<typeof delivery>;

export const attempt = z.object({
  number: z.number(),
  startedAt: timestamp,
  durationMilliseconds: z.number(),
  /** Status of the response. Null if there was none. */
  status: z.number().nullable(),
  /** The first 1,024 bytes of the response. Null if there was none. */
  response: z.string().nullable(),
  /** Why it failed. Null after a success. */
  error: z.string().nullable(),
});
export type WebhookAttempt = z.output<typeof attempt>;

/** The filters of deliveries. */
export const deliveryFilter = {
  endpointId: id.optional(),
  state: deliveryState.optional(),
  eventType: z.enum([testEventType, ...applicationEventTypes]).optional(),
  eventId: id.optional(),
  /** Id of the user or organization. */
  subjectId: id.optional(),
};

/** A delivery with the sent body and the attempts, latest first. */
export const deliveryDetails = z.object({
  delivery,
  request: z.object({
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  attempts: z.array(attempt),
});

/** An event with what became of it at the webhooks that it was sent to. */
export const recordedEvent = z.object({
  event: applicationEvent,
  subject: delivery.shape.subject,
  /** The number of webhooks whose latest delivery of the event is in each state. */
  webhooks: z.object({ pending: z.number(), delivered: z.number(), failed: z.number() }),
});

/** The filters of events. */
export const eventFilter = {
  eventType: z.enum(applicationEventTypes).optional(),
  /** Id of the user or organization. */
  subjectId: id.optional(),
  organizationId: id.optional(),
  eventId: id.optional(),
};

const moment = z.iso.datetime({ offset: true });

export const since = z.object({ since: moment });
export const range = z.object({ from: moment, to: moment });
/** `hasMore` if the limit of one call was reached. A further call continues. */
export const queued = z.object({ count: z.number(), hasMore: z.boolean() });

export const hourRange = { from: moment.optional(), to: moment.optional() };

/** Figures of an hour. The durations are those of the attempts with a response, which `answered` counts. */
export const statistics = z.object({
  hours: z.array(
    z.object({
      hour: timestamp,
      delivered: z.number(),
      failedAttempts: z.number(),
      answered: z.number(),
      meanMilliseconds: z.number(),
      maxMilliseconds: z.number(),
    }),
  ),
  /** Deliveries that wait now. Counting stops at 10,000. */
  pending: z.number(),
});
