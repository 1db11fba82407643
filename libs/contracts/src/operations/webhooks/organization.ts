import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { pageQuery, pageTotals } from "../pages.ts";
import {
  delivery,
  deliveryDetails,
  deliveryFilter,
  endpoint,
  endpointBody,
  endpointChange,
  endpointWithSecret,
  id,
  overlapSeconds,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofMember = {
  owner: "webhooks",
  exposure: "public",
  rateClass: "general",
  feature: "organizationWebhooks",
  access: "session",
  refusesImpersonators: true,
  refusesApiKeys: true,
} as const;

/** The role of the caller in the organization does not allow it, or the caller is no member. */
const memberErrors = [
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION",
  "TWO_FACTOR_REQUIRED",
] as const;

/** The caller may not read the API keys of the organization, of which the events tell. */
const notOfCaller = "YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS";

const named = { webhookId: id, organizationId: id };

/** Operations of members on the webhooks of their organization, as their role permits. */
export const organizationWebhookOperations = operationGroup("Webhooks of organizations", {
  listOrganizationWebhooks: operation({
    ...ofMember,
    name: "listOrganizationWebhooks",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-webhooks",
    summary: "Returns the webhooks of an organization, newest first.",
    query: z.object({ ...pageQuery, organizationId: id }),
    reply: z.object({ webhooks: z.array(endpoint), ...pageTotals }),
    errors: [...memberErrors],
    repeatable: true,
  }),
  createOrganizationWebhook: operation({
    ...ofMember,
    name: "createOrganizationWebhook",
    stepUp: stepUps.webhook,
    method: "POST",
    path: "/organization/create-webhook",
    summary:
      "Creates a webhook that receives the events of an organization, and shows its secret this once.",
    body: z.object({ ...endpointBody, organizationId: id }),
    reply: endpointWithSecret,
    errors: [
      ...memberErrors,
      notOfCaller,
      "WEBHOOK_URL_NOT_ALLOWED",
      "WEBHOOK_CONTACT_NOT_ALLOWED",
      "WEBHOOK_LIMIT_REACHED",
    ],
  }),
  updateOrganizationWebhook: operation({
    ...ofMember,
    name: "updateOrganizationWebhook",
    stepUp: stepUps.webhookChange,
    method: "POST",
    path: "/organization/update-webhook",
    summary: "Changes a webhook of an organization, or pauses or resumes it.",
    body: z.object({
      ...named,
      ...endpointChange,
      state: z.enum(["active", "paused"]).optional(),
    }),
    reply: endpoint,
    errors: [
      ...memberErrors,
      notOfCaller,
      "WEBHOOK_NOT_FOUND",
      "WEBHOOK_URL_NOT_ALLOWED",
      "WEBHOOK_CONTACT_NOT_ALLOWED",
    ],
  }),
  rotateOrganizationWebhookSecret: operation({
    ...ofMember,
    name: "rotateOrganizationWebhookSecret",
    stepUp: stepUps.webhook,
    method: "POST",
    path: "/organization/rotate-webhook-secret",
    summary: "Replaces the secret of a webhook of an organization and shows the new one this once.",
    body: z.object({ ...named, overlapSeconds }),
    reply: endpointWithSecret,
    errors: [...memberErrors, notOfCaller, "WEBHOOK_NOT_FOUND"],
  }),
  testOrganizationWebhook: operation({
    ...ofMember,
    name: "testOrganizationWebhook",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/test-webhook",
    summary: "Queues a test event for a webhook of an organization.",
    body: z.object(named),
    reply: delivery,
    errors: [...memberErrors, "WEBHOOK_NOT_FOUND"],
  }),
  deleteOrganizationWebhook: operation({
    ...ofMember,
    name: "deleteOrganizationWebhook",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/delete-webhook",
    summary: "Deletes a webhook of an organization with its deliveries.",
    body: z.object(named),
    reply: z.object({ success: z.boolean() }),
    errors: [...memberErrors, "WEBHOOK_NOT_FOUND"],
  }),
  listOrganizationWebhookDeliveries: operation({
    ...ofMember,
    name: "listOrganizationWebhookDeliveries",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-webhook-deliveries",
    summary: "Searches and pages through the deliveries of a webhook of an organization.",
    query: z.object({
      ...pageQuery,
      ...named,
      state: deliveryFilter.state,
      eventType: deliveryFilter.eventType,
    }),
    reply: z.object({ deliveries: z.array(delivery), ...pageTotals }),
    errors: [...memberErrors, "WEBHOOK_NOT_FOUND"],
    repeatable: true,
  }),
  getOrganizationWebhookDelivery: operation({
    ...ofMember,
    name: "getOrganizationWebhookDelivery",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-webhook-delivery",
    summary: "Shows a delivery of an organization with its request and the responses.",
    query: z.object({ organizationId: id, deliveryId: id }),
    reply: deliveryDetails,
    errors: [...memberErrors, notOfCaller, "WEBHOOK_DELIVERY_NOT_FOUND"],
    repeatable: true,
  }),
  retryOrganizationWebhookDelivery: operation({
    ...ofMember,
    name: "retryOrganizationWebhookDelivery",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/retry-webhook-delivery",
    summary: "Retries a delivery of an organization that has failed.",
    body: z.object({ organizationId: id, deliveryId: id }),
    reply: delivery,
    errors: [...memberErrors, "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DELIVERY_HAS_NOT_FAILED"],
  }),
});
