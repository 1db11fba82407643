import type { ServiceName } from "@latchkey/contracts";
import { freePort } from "@latchkey/testkit";
import { createLauncher } from "../../apps/all-in-one/src/split/create-launcher.ts";
import type {
  ServicePorts,
  ServiceProcess,
} from "../../apps/all-in-one/src/split/start-service-process.ts";
import { childEnvironment } from "./child-environment.ts";
import { systemUnderTest } from "./system-under-test.ts";

/** A process and its output. */
export interface Replica extends ServiceProcess {
  output(): string;
}

type Environment = Record<string, string>;

const portAttempts = 3;
const shownCharacters = 4_000;

const choosePorts = async (service: ServiceName): Promise<ServicePorts> => {
  const port = await freePort();
  return { port, internal: service === "gateway" ? await freePort() : port };
};

/** Whether a service exited because another program took its port between its choice and its use. */
const isPortTaken = (output: string): boolean => /Port \d+ \(\w+\) is in use\./.test(output);

const lastWords = (replica: Replica) => replica.output().slice(-shownCharacters);

/** The processes of one system, by service. */
export const createServiceProcesses = (
  folder: string,
  shared: Environment,
  drainSeconds: number,
) => {
  const launcher = createLauncher();
  const ports = new Map<string, ServicePorts>();
  const running = new Map<ServiceName, Replica[]>();
  /** The environment of each service at its last start. */
  const environments = new Map<ServiceName, Environment>();
  const replicasOf = (service: ServiceName) => running.get(service) ?? [];

  const replicaOf = (service: ServiceName, index: number): Replica => {
    const replica = replicasOf(service)[index];
    if (!replica) throw new Error(`No replica ${index} of ${service}`);
    return replica;
  };

  const launchOn = (service: ServiceName, own: ServicePorts, environment: Environment): Replica => {
    const written: string[] = [];
    const launched = launcher.launch({
      service,
      ports: own,
      environment: { ...childEnvironment(), ...shared, ...environment },
      drainSeconds,
      folder,
      system: systemUnderTest(),
      onOutput: (text) => written.push(text),
    });
    return { ...launched, output: () => written.join("") };
  };

  /** Another process may take a port between its choice and its use. A port that others know is kept. */
  const launch = async (service: ServiceName, index: number, environment: Environment) => {
    const key = `${service} ${index}`;
    const usedPorts = ports.get(key);
    for (let attempt = 1; ; attempt += 1) {
      const replica = launchOn(service, usedPorts ?? (await choosePorts(service)), environment);
      const isUp = await replica.answers("/health/live").catch(async (error: unknown) => {
        await replica.end("SIGKILL");
        throw new Error(`${service} does not answer\n${lastWords(replica)}`, { cause: error });
      });
      if (isUp) {
        ports.set(key, replica.ports);
        return replica;
      }
      const mayPass = !usedPorts && attempt < portAttempts && isPortTaken(replica.output());
      if (!mayPass) throw new Error(`${service} ended at its start\n${lastWords(replica)}`);
    }
  };

  return {
    replicasOf,
    replicaOf,
    start: async (service: ServiceName, count: number, environment: Environment) => {
      if (replicasOf(service).some((replica) => replica.isRunning()))
        throw new Error(`${service} runs already`);
      environments.set(service, environment);
      const launches = Array.from({ length: count }, (_, index) =>
        launch(service, index, environment),
      );
      const results = await Promise.allSettled(launches);
      running.set(
        service,
        results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
      );
      for (const result of results) if (result.status === "rejected") throw result.reason;
    },
    end: (service: ServiceName, signal: NodeJS.Signals) =>
      Promise.all(replicasOf(service).map((replica) => replica.end(signal))),
    restart: async (service: ServiceName, index: number, signal: NodeJS.Signals) => {
      const ending = await replicaOf(service, index).end(signal);
      replicasOf(service)[index] = await launch(service, index, environments.get(service) ?? {});
      return ending;
    },
    output: (service: ServiceName): string =>
      replicasOf(service)
        .map((replica) => replica.output())
        .join(""),
    close: launcher.close,
  };
};
