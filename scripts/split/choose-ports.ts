import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit";
import { freePort } from "@latchkey/service-kit/embedded-postgres";
import type { ServicePorts } from "./start-service-process.ts";

/** Between the ports of two replicas, so that no service comes upon another one's. */
const step = 10;

/** Ports of a replica, the first of which is 0: what is configured, and so many steps further. A port of 0 is a free one. */
export const choosePorts = async (
  { ports, gatewayInternalPort }: Settings["network"],
  service: ServiceName,
  replica: number,
): Promise<ServicePorts> => {
  const portOf = async (configured: number) =>
    configured === 0 ? freePort() : configured + replica * step;
  const port = await portOf(ports[service]);
  return { port, internal: service === "gateway" ? await portOf(gatewayInternalPort) : port };
};
