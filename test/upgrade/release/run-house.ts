import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { callees } from "../../../scripts/split/callees.ts";
import { createLauncher } from "../../../scripts/split/create-launcher.ts";
import type {
  Ending,
  ServicePorts,
  ServiceProcess,
} from "../../../scripts/split/start-service-process.ts";
import { childEnvironment } from "../../child-environment.ts";

/** Where the services of a house listen, once they run. */
export type HousePorts = Readonly<Record<ServiceName, ServicePorts>>;

export interface HouseOptions {
  /** The folder of its code. */
  house: string;
  ports: HousePorts;
  /** Of all houses whose services work together, itself included. */
  all: readonly HousePorts[];
  environment: Readonly<Record<string, string>>;
  drainSeconds: number;
}

/** A version of Latchkey, each service in a process of its own. */
export interface House {
  /** Resolves once it is ready. */
  start(service: ServiceName): Promise<void>;
  /** SIGTERM; resolves once it is gone. */
  end(service: ServiceName): Promise<Ending | undefined>;
  /** Ends at once what still runs. */
  close(): Promise<void>;
}

/** Below those that a system gives out by itself. */
const portMin = 12_000;
const portMax = 32_000;

/**
 * A free port that nobody is given by chance. Others are told of it long before anybody listens there, and would take whoever
 * had it meanwhile for the service.
 */
const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(portMin, portMax);
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
};

/** Free ports for all services. */
export const chooseHousePorts = async (): Promise<HousePorts> => {
  const ports: Partial<Record<ServiceName, ServicePorts>> = {};
  for (const service of serviceNames) {
    const port = await quietPort();
    const internal = service === "gateway" ? await quietPort() : port;
    ports[service] = { port, internal };
  }
  return ports as HousePorts; // all names were gone through
};

export const originOf = ({ port }: ServicePorts): string => `http://127.0.0.1:${port}`;

const shownCharacters = 4_000;

export const createHouse = (options: HouseOptions): House => {
  const { house, ports, all, environment, drainSeconds } = options;
  const launcher = createLauncher();
  const running = new Map<ServiceName, ServiceProcess>();
  const addressesFor = (service: ServiceName) =>
    callees[service].map((callee) => [
      serviceVariables(callee).url,
      all.map((one) => originOf(one[callee])).join(","),
    ]);
  return {
    start: async (service) => {
      const written: string[] = [];
      const launched = launcher.launch({
        service,
        ports: ports[service],
        environment: {
          ...childEnvironment(),
          ...environment,
          ...(Object.fromEntries(addressesFor(service)) as Record<string, string>),
          DRAIN_SECONDS: String(drainSeconds),
        },
        drainSeconds,
        folder: house,
        house,
        onOutput: (text) => written.push(text),
      });
      running.set(service, launched);
      const isReady = () => launched.answers("/health/ready");
      // It waits for a minute, which is not enough where many others work on the machine.
      if (!(await isReady().catch(isReady)))
        throw new Error(
          `${service} ended at its start\n${written.join("").slice(-shownCharacters)}`,
        );
    },
    end: async (service) => running.get(service)?.end("SIGTERM"),
    close: async () => {
      await Promise.all([...running.values()].map((one) => one.end("SIGKILL")));
      launcher.close();
    },
  };
};
