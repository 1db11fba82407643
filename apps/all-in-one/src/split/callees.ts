import type { ServiceName } from "@latchkey/contracts";

/** The services that each service calls. */
export const callees: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  identity: [],
  organization: ["identity"],
  apikey: ["identity", "organization"],
  mailer: ["identity"],
  webhooks: ["identity", "organization"],
  gateway: ["identity", "organization", "apikey", "mailer", "webhooks"],
};
