import type { AuditEntry } from "@latchkey/service-kit";

/** Whoever takes over another database, as an audit row names them. */
export const takeOverActor: AuditEntry["actor"] = { kind: "service", id: "npx latchkey" };
