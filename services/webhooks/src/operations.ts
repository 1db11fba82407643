import { createAuditList, findByEmailRemotely } from "@latchkey/service-kit/audit";
import type { OperationHandlers } from "@latchkey/service-kit/run";
import {
  adminGetWebhookDelivery,
  adminListWebhookDeliveries,
  adminReadWebhookStatistics,
  adminReplayWebhookEvents,
  adminRetryFailedWebhookDeliveries,
  adminRetryWebhookDelivery,
} from "./admin/deliveries.ts";
import {
  adminCreateWebhook,
  adminDeleteWebhook,
  adminGetWebhook,
  adminListWebhooks,
  adminPauseWebhook,
  adminResumeWebhook,
  adminRotateWebhookSecret,
  adminTestWebhook,
  adminUpdateWebhook,
} from "./admin/endpoints.ts";
import { adminListEvents, adminReplayEvent, adminSearchEvents } from "./admin/events.ts";
import type { Deps } from "./deps.ts";
import {
  createOrganizationWebhook,
  deleteOrganizationWebhook,
  getOrganizationWebhookDelivery,
  listOrganizationWebhookDeliveries,
  listOrganizationWebhooks,
  retryOrganizationWebhookDelivery,
  rotateOrganizationWebhookSecret,
  testOrganizationWebhook,
  updateOrganizationWebhook,
} from "./organizations/endpoints.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"webhooks", Deps> = {
  adminListWebhooks,
  adminGetWebhook,
  adminCreateWebhook,
  adminUpdateWebhook,
  adminRotateWebhookSecret,
  adminPauseWebhook,
  adminResumeWebhook,
  adminTestWebhook,
  adminDeleteWebhook,
  adminListWebhookDeliveries,
  adminGetWebhookDelivery,
  adminRetryWebhookDelivery,
  adminRetryFailedWebhookDeliveries,
  adminReplayWebhookEvents,
  adminReadWebhookStatistics,
  adminListEvents,
  adminSearchEvents,
  adminReplayEvent,
  adminListWebhookAudit: createAuditList(findByEmailRemotely),
  listOrganizationWebhooks,
  createOrganizationWebhook,
  updateOrganizationWebhook,
  rotateOrganizationWebhookSecret,
  testOrganizationWebhook,
  deleteOrganizationWebhook,
  listOrganizationWebhookDeliveries,
  getOrganizationWebhookDelivery,
  retryOrganizationWebhookDelivery,
};
