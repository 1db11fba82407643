import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { freePort } from "@latchkey/embedded-postgres";
import type { ServicePorts } from "./start-service-process.ts";

/** The distance between the ports of two replicas, so that services do not collide. */
const step = 10;

/** Returns the ports of a replica, numbered from 0: the configured ports plus that many steps. Port 0 chooses a free one. */
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
