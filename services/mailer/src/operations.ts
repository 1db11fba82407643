import {
  createAuditList,
  findByEmailRemotely,
  type OperationHandlers,
} from "@latchkey/service-kit";
import { adminGetDelivery } from "./admin/admin-get-delivery.ts";
import { adminListDeliveries } from "./admin/admin-list-deliveries.ts";
import { adminListDeliveryAttempts } from "./admin/admin-list-delivery-attempts.ts";
import { adminListInvitationMails } from "./admin/admin-list-invitation-mails.ts";
import { adminReadMailStatistics } from "./admin/admin-read-mail-statistics.ts";
import { adminRetryDelivery } from "./admin/admin-retry-delivery.ts";
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
