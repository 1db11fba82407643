import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LatchkeyConfig,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { callees, inCallOrder } from "../../apps/all-in-one/src/split/in-call-order.ts";
import type { Ending } from "../../apps/all-in-one/src/split/start-service-process.ts";
import { anyPort } from "./any-port.ts";
import { writeConfig } from "./config-file.ts";
import { createServiceProcesses } from "./service-processes.ts";

type Environment = Record<string, string>;

export interface Readiness {
  status: number;
  checks: Record<string, boolean>;
}

/** Control of the processes of a system. */
export interface ProcessControl {
  /** Starts all replicas of a service on their previous ports. Resolves when they answer, ready or not. */
  start(service: ServiceName, environment?: Environment): Promise<void>;
  /** Sends SIGKILL to all replicas of a service. Resolves when they have exited. */
  kill(service: ServiceName): Promise<void>;
  /** Sends SIGTERM to all replicas of a service. */
  end(service: ServiceName): Promise<Ending[]>;
  /** Ends one replica with the signal and starts it again on its port. Resolves when it answers. */
  restart(service: ServiceName, replica: number, signal: "SIGTERM" | "SIGKILL"): Promise<Ending>;
  /** Returns the answer of `/health/ready` of a replica. */
  readiness(service: ServiceName, replica?: number): Promise<Readiness>;
  /** Returns the output of the running replicas of a service. */
  output(service: ServiceName): string;
}

interface RunOptions {
  config: LatchkeyConfig;
  environment: Environment;
  drainSeconds: number;
  replicasOf(service: ServiceName): number;
  absent: readonly ServiceName[];
}

/** Runs every service in processes, as in production. Starts each after those that it calls. */
export const runProcesses = async (options: RunOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-system-"));
  const shared = {
    LOG_LEVEL: "warn",
    // As the settings that tests read, from which the origin of passkeys follows.
    PORT: anyPort.PORT,
    ...(await writeConfig(folder, options.config)),
    ...options.environment,
  };
  const processes = createServiceProcesses(folder, shared, options.drainSeconds);
  const isPresent = (service: ServiceName) => !options.absent.includes(service);
  const urlsOf = (service: ServiceName) => processes.replicasOf(service).map(({ url }) => url);
  const internalUrlOf = ({ ports }: { ports: { internal: number } }) =>
    `http://127.0.0.1:${ports.internal}`;

  const start = async (service: ServiceName, environment: Environment = {}) => {
    const urls: Environment = {};
    for (const callee of callees[service].filter(isPresent))
      urls[serviceVariables(callee).url] = urlsOf(callee).join(",");
    await processes.start(service, options.replicasOf(service), { ...urls, ...environment });
  };
  const stop = async () => {
    await Promise.all(serviceNames.map((service) => processes.end(service, "SIGTERM")));
    processes.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await inCallOrder("callees", async (service) => {
      if (isPresent(service)) await start(service);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const control: ProcessControl = {
    start,
    kill: async (service) => {
      await processes.end(service, "SIGKILL");
    },
    end: (service) => processes.end(service, "SIGTERM"),
    restart: processes.restart,
    readiness: async (service, replica = 0) => {
      const response = await fetch(
        `${internalUrlOf(processes.replicaOf(service, replica))}/health/ready`,
      );
      const { checks } = (await response.json()) as Pick<Readiness, "checks">;
      return { status: response.status, checks };
    },
    output: processes.output,
  };
  return {
    control,
    urlsOf,
    internalUrlsOf: (service: ServiceName) => processes.replicasOf(service).map(internalUrlOf),
    stop,
  };
};
