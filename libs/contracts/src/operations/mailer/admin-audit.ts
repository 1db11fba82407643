import { listAuditOperation } from "../audit.ts";

/** What admins see of what was done in the mailer. */
export const mailerAuditOperations = {
  adminListMailerAudit: listAuditOperation({
    name: "adminListMailerAudit",
    owner: "mailer",
    feature: "admin",
  }),
} as const;
