import { auditedServices } from "@latchkey/ui/api/contracts.ts";
import { t } from "../../texts.ts";

/** The logs that are shown together: those of the services, and the refused sign-ins, which are counted instead of logged. */
export const auditSources = [...auditedServices, "refused-sign-ins"] as const;
export type AuditSource = (typeof auditSources)[number];

/** Returns the name of a log. */
export const sourceLabel = (source: AuditSource): string =>
  source === "refused-sign-ins" ? t("audit.refusedSignIns") : source;
