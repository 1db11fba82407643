import type { ServiceName } from "@latchkey/contracts";

/** The services that each service calls. */
export const callees: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  mailer: [],
  identity: [],
  organization: ["identity"],
  apikey: ["identity"],
  gateway: ["mailer", "identity", "organization", "apikey"],
};
