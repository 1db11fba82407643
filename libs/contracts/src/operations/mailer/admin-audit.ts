import { listAuditOperation } from "../audit.ts";
import { operationGroup } from "../../operation-group.ts";

/** The audit log of the mailer, for admins. */
export const mailerAuditOperations = operationGroup("Admin", {
  adminListMailerAudit: listAuditOperation({
    name: "adminListMailerAudit",
    owner: "mailer",
    feature: "admin",
  }),
});
