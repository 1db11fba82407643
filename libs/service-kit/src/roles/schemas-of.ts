import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "../config/settings.ts";

/** The schemas that a service reads and writes: its own, and that of the bus where it lies in Postgres. */
export const schemasOf = ({ options }: Settings, service: ServiceName): string[] =>
  // The gateway publishes and consumes nothing.
  options.redisUrl || service === "gateway" ? [service] : [service, "bus"];
