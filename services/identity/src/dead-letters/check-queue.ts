import { eventCatalogue, serviceNames, type ServiceName, WireError } from "@latchkey/contracts";

const consuming: ReadonlySet<string> = new Set(
  Object.values(eventCatalogue).flatMap<ServiceName>(({ consumers }) => consumers),
);

/** The existing queues, each by the name of the service that consumes it. */
export const queueNames: readonly string[] = serviceNames.filter((name) => consuming.has(name));

/** Throws `NOT_FOUND` for an unknown queue, because the stores accept any name. */
export const checkQueue = (name: string): void => {
  if (!consuming.has(name)) throw new WireError("NOT_FOUND");
};
