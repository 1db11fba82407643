import { createAuditList, findByEmailRemotely } from "@latchkey/service-kit/audit";
import type { OperationHandlers } from "@latchkey/service-kit/run";
import {
  adminGetDelivery,
  adminListDeliveries,
  adminListDeliveryAttempts,
  adminListInvitationMails,
  adminReadMailStatistics,
  adminRetryDelivery,
} from "./admin/deliveries.ts";
import type { Deps } from "./deps.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"mailer", Deps> = {
  adminListDeliveries,
  adminGetDelivery,
  adminListDeliveryAttempts,
  adminListInvitationMails,
  adminRetryDelivery,
  adminReadMailStatistics,
  adminListMailerAudit: createAuditList(findByEmailRemotely),
};
