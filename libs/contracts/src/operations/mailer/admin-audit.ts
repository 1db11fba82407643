import { listAuditOperation } from "../audit.ts";

/** The audit log of the mailer, for admins. */
export const mailerAuditOperations = {
  adminListMailerAudit: listAuditOperation({
    name: "adminListMailerAudit",
    owner: "mailer",
    feature: "admin",
  }),
} as const;
