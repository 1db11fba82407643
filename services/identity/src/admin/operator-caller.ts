import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** The name of the command line in the audit. No service token can have a name with a space. */
const service = "npx latchkey";

/** The audit actor of an operator who runs a command on the machine itself. */
export const operatorActor: AuditEntry["actor"] = { kind: "service", id: service };

/** Creates the caller of a command, which does not come through a gateway. */
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
