import type { Options, ServiceName } from "@latchkey/contracts";

/** The schemas that a service reads and writes: its own, and that of the bus where it lies in Postgres. */
export const schemasOf = (
  { options }: { options: Pick<Options, "redisUrl"> },
  service: ServiceName,
): string[] =>
  // The gateway publishes and consumes nothing.
  options.redisUrl || service === "gateway" ? [service] : [service, "bus"];
