import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { choosePorts } from "./choose-ports.ts";
import { createLauncher } from "./create-launcher.ts";
import { inCallOrder } from "./in-call-order.ts";
import { type KeptReplica, keepRunning } from "./keep-running.ts";
import type { ServicePorts } from "./start-service-process.ts";

export interface SplitOptions {
  network: Settings["network"];
  /** The services to run. */
  services: readonly ServiceName[];
  /** The processes of each service. */
  replicas: number;
  /** The environment of every process. */
  environment: NodeJS.ProcessEnv;
  /** Prints a line of a replica, or one about it. */
  show: (replica: string, line: string) => void;
}

/** Every service in separate processes. */
export interface RunningSplit {
  services: readonly ServiceName[];
  ports: Readonly<Record<ServiceName, readonly ServicePorts[]>>;
  stop(): Promise<void>;
}

/** Splits output into lines. */
const byLine = (show: (line: string) => void): ((text: string) => void) => {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) show(line);
  };
};

/** Rejects with the first failure once all have settled. */
const allSettled = async (work: readonly Promise<unknown>[]): Promise<void> => {
  for (const result of await Promise.allSettled(work))
    if (result.status === "rejected") throw result.reason;
};

const chooseAllPorts = async ({
  network,
  replicas,
}: SplitOptions): Promise<Record<ServiceName, ServicePorts[]>> => {
  const chosen: Partial<Record<ServiceName, ServicePorts[]>> = {};
  for (const service of serviceNames) {
    const ports: ServicePorts[] = [];
    for (let replica = 0; replica < replicas; replica += 1)
      ports.push(await choosePorts(network, service, replica));
    chosen[service] = ports;
  }
  return chosen as Record<ServiceName, ServicePorts[]>; // each was set above
};

/** Returns the addresses by which each service finds those that it calls. */
const addressesOf = (ports: Readonly<Record<ServiceName, readonly ServicePorts[]>>) =>
  Object.fromEntries(
    serviceNames.map((service) => [
      serviceVariables(service).url,
      ports[service].map(({ port }) => `http://127.0.0.1:${port}`).join(","),
    ]),
  );

/**
 * Starts every replica, those of a service after all services that it calls are ready, and keeps each running. `stop` ends callers first.
 */
export const runSplit = async (options: SplitOptions): Promise<RunningSplit> => {
  const ports = await chooseAllPorts(options);
  const environment = { ...options.environment, INTERNAL_HOST: "127.0.0.1", ...addressesOf(ports) };
  const launcher = createLauncher();
  const replicasOf = new Map<ServiceName, KeptReplica[]>();
  const startReplica = async (service: ServiceName, index: number, own: ServicePorts) => {
    const name = `${service}.${index + 1}`;
    const say = (line: string) => options.show(name, line);
    const replica = await keepRunning(
      () =>
        launcher.launch({
          service,
          ports: own,
          environment,
          drainSeconds: options.network.drainSeconds,
          folder: process.cwd(),
          onOutput: byLine(say),
          isDetached: true,
        }),
      say,
    );
    replicasOf.set(service, [...(replicasOf.get(service) ?? []), replica]);
  };
  const stop = async () => {
    await inCallOrder("callers", (service) =>
      Promise.all((replicasOf.get(service) ?? []).map((replica) => replica.stop())),
    );
    launcher.close();
  };
  try {
    await inCallOrder("callees", async (service) => {
      if (options.services.includes(service))
        await allSettled(ports[service].map((own, index) => startReplica(service, index, own)));
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { services: options.services, ports, stop };
};
