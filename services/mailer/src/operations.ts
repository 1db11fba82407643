import type { operations } from "@latchkey/contracts";
import { type Handlers, listAudit } from "@latchkey/service-kit";
import { adminGetDelivery } from "./admin/admin-get-delivery.ts";
import { adminListDeliveries } from "./admin/admin-list-deliveries.ts";
import { adminReadMailStatistics } from "./admin/admin-read-mail-statistics.ts";
import { adminRetryDelivery } from "./admin/admin-retry-delivery.ts";
import { schema } from "./db/schema.ts";
import type { Deps } from "./deps.ts";

/** Maps each operation to its feature. */
export const createHandlers = (deps: Deps): Handlers<typeof operations.mailer> => ({
  adminListDeliveries: (call) => adminListDeliveries(deps, call),
  adminGetDelivery: (call) => adminGetDelivery(deps, call),
  adminRetryDelivery: (call) => adminRetryDelivery(deps, call),
  adminReadMailStatistics: (call) => adminReadMailStatistics(deps, call),
  adminListMailerAudit: (call) => listAudit({ ...deps, schema }, call),
});
