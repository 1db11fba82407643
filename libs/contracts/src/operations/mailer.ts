import { mailerAuditOperations } from "./mailer/admin-audit.ts";
import { deliveryAdminOperations } from "./mailer/admin-deliveries.ts";

/** The operations that the mailer owns. */
export const mailerOperations = { ...deliveryAdminOperations, ...mailerAuditOperations } as const;
