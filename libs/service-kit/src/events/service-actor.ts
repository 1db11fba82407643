import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "../audit/append-audit.ts";

/** Returns the audit actor of a service that calls without a session. */
export const serviceActor = ({ service }: Pick<Caller, "service">): AuditEntry["actor"] => ({
  kind: "service",
  ...(service === undefined ? {} : { id: service }),
});
