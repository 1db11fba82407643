import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { freePort } from "@latchkey/embedded-postgres";

/** The port of each service. */
export interface Ports {
  of: Readonly<Record<ServiceName, string>>;
  /** Port of the gateway's health and metrics. */
  gatewayInternal: string;
  /** Environment variables that set the ports. */
  environment: Readonly<Record<string, string>>;
}

export const choosePorts = async (): Promise<Ports> => {
  const ports: Partial<Record<ServiceName, string>> = {};
  const gatewayInternal = String(await freePort());
  const environment: Record<string, string> = { GATEWAY_INTERNAL_PORT: gatewayInternal };
  for (const service of serviceNames) {
    const port = String(await freePort());
    ports[service] = port;
    environment[serviceVariables(service).port] = port;
  }
  return { of: ports as Ports["of"], gatewayInternal, environment }; // one for each
};
