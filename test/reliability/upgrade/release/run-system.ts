import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { callees } from "../../../../apps/all-in-one/src/split/in-call-order.ts";
import { createLauncher } from "../../../../apps/all-in-one/src/split/create-launcher.ts";
import type {
  Ending,
  ServicePorts,
  ServiceProcess,
} from "../../../../apps/all-in-one/src/split/start-service-process.ts";
import { childEnvironment } from "../../../harness/child-environment.ts";

/** The ports of a system's services. */
export type SystemPorts = Readonly<Record<ServiceName, ServicePorts>>;

export interface SystemOptions {
  /** The folder of its code. */
  system: string;
  ports: SystemPorts;
  /** The ports of all systems whose services work together, itself included. */
  all: readonly SystemPorts[];
  environment: Readonly<Record<string, string>>;
  drainSeconds: number;
}

/** A version of Latchkey with each service in a separate process. */
export interface System {
  /** Resolves when the service is ready. */
  start(service: ServiceName): Promise<void>;
  /** Sends SIGTERM. Resolves when the process has ended. */
  end(service: ServiceName): Promise<Ending | undefined>;
  /** Kills all running services. */
  close(): Promise<void>;
}

/** Below the ports that the operating system assigns by itself. */
const portMin = 12_000;
const portMax = 32_000;

/**
 * Returns a free port that the operating system does not assign by chance. Other services learn it long before the service listens
 * there, and would otherwise connect to an unrelated process.
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

/** Returns free ports for all services. */
export const chooseSystemPorts = async (): Promise<SystemPorts> => {
  const ports: Partial<Record<ServiceName, ServicePorts>> = {};
  for (const service of serviceNames) {
    const port = await quietPort();
    const internal = service === "gateway" ? await quietPort() : port;
    ports[service] = { port, internal };
  }
  return ports as SystemPorts; // complete after the loop
};

export const originOf = ({ port }: ServicePorts): string => `http://127.0.0.1:${port}`;

const shownCharacters = 4_000;

export const createSystem = (options: SystemOptions): System => {
  const { system, ports, all, environment, drainSeconds } = options;
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
        folder: system,
        system,
        onOutput: (text) => written.push(text),
      });
      running.set(service, launched);
      const isReady = () => launched.answers("/health/ready");
      // The script waits for one minute, which is too short on a busy machine.
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
