import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "../audit/append-audit.ts";

/** Who acts where a service calls without a session, for the audit. */
export const serviceActor = ({ service }: Pick<Caller, "service">): AuditEntry["actor"] => ({
  kind: "service",
  ...(service === undefined ? {} : { id: service }),
});
