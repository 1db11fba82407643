import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** What the audit calls the command line; no service token can have a name with a space. */
const service = "npx latchkey";

/** Whoever runs a command on the machine itself, as an audit row names them. */
export const operatorActor: AuditEntry["actor"] = { kind: "service", id: service };

/** The call of a command, which comes through no gateway. */
export const operatorCaller = (
  { config, newEventId }: Pick<Deps, "config" | "newEventId">,
  operation: string,
): Caller => ({
  requestId: newEventId(),
  operation,
  baseUrl: config.baseURL ?? "",
  address: "",
  userAgent: "",
  service,
});
