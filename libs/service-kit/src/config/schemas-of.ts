import type { Options, ServiceName } from "@latchkey/contracts";

/** Returns the schemas that a service reads and writes: its own, and the bus's if the bus is on Postgres. */
export const schemasOf = (
  { options }: { options: Pick<Options, "redisUrl"> },
  service: ServiceName,
): string[] =>
  // The gateway neither publishes nor consumes.
  options.redisUrl || service === "gateway" ? [service] : [service, "bus"];
