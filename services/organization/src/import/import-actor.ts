import type { AuditEntry } from "@latchkey/service-kit";

/** The actor of an import in the audit. */
export const importActor: AuditEntry["actor"] = { kind: "service", id: "npx latchkey" };
