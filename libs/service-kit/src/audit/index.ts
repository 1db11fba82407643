export { serviceActor, sessionActor } from "./actors.ts";
export {
  appendAudit,
  appendAudits,
  type AuditEntry,
  auditNames,
  auditRow,
  type AuditRow,
} from "./append-audit.ts";
export { checkpointKeys, readCheckpointKey, writeCheckpointKey } from "./checkpoint-signature.ts";
export type { ChainVerdict } from "./check-chain.ts";
export { exportAudit } from "./export-audit.ts";
export { createAuditList, findByEmailRemotely } from "./create-audit-list.ts";
export { listActivity } from "./list-activity.ts";
export { readPersonAudit } from "./person-audit.ts";
export { pruneAudit } from "./prune-audit.ts";
export { verifyAudit } from "./verify-audit.ts";
export { ExportUnreadableError, type ExportVerdict, verifyExport } from "./verify-export.ts";
