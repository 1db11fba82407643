import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type LatchkeyConfig,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import {
  createLauncher,
  type Launcher,
} from "../../../../apps/all-in-one/src/split/create-launcher.ts";
import { inCallOrder } from "../../../../apps/all-in-one/src/split/in-call-order.ts";
import { choosePorts, type Ports } from "../../../bench/harness/choose-ports.ts";
import { openStores, type Stores } from "../../../bench/harness/open-stores.ts";
import { benchSecret, benchToken } from "../../../bench/harness/stack-settings.ts";
import { inTemporaryFolder } from "../../../bench/harness/temporary-folder.ts";
import { childEnvironment } from "../../../harness/child-environment.ts";
import { createSystemProcess, type SystemProcess } from "./system-process.ts";

/** Servers that tests and scripts provide. */
export interface Servers {
  databaseUrl: string;
  redisUrl: string;
}

/** The store of sessions, limits and the bus. */
export type Where = "postgres" | "redis";

export interface SystemOptions {
  servers: Servers;
  where: Where;
  /** Without functions, because it is passed as a JSON file. */
  config?: LatchkeyConfig;
  environment?: Record<string, string>;
  /**
   * A module that exports the configuration as default, needed for functions. It may read the other options as JSON from
   * `LATCHKEY_OPTIONS`.
   */
  configModule?: URL;
  /** Services that are not started. */
  absent?: readonly ServiceName[];
  /** Fills the stores before any service starts. */
  prepare?: (stores: Stores) => Promise<void>;
}

/** All services, each in its own process. */
export interface System {
  processes: readonly SystemProcess[];
  stores: Stores;
  /** Origin of the public gateway. */
  origin: string;
  /** Origin of a service's port. */
  originOf(service: ServiceName): string;
  /** Origin of the gateway's health and metrics. */
  internalOrigin: string;
}

interface StartOptions {
  folder: string;
  environment: Record<string, string>;
  absent: readonly ServiceName[];
  started: SystemProcess[];
}

const preload = pathToFileURL(join(import.meta.dirname, "report-measurements.ts")).href;
const onPort = (port: string) => `http://127.0.0.1:${port}`;

const environmentOf = async (options: SystemOptions, stores: Stores, folder: string) => {
  const { redis } = stores.stackInput("redis");
  const file = join(folder, "options.json");
  const { advanced, ...config } = options.config ?? {};
  const tree = {
    secret: [benchSecret],
    serviceTokens: { bench: benchToken },
    ...config,
    advanced: { redisKeyPrefix: redis?.keyPrefix, ...advanced },
  };
  await writeFile(file, JSON.stringify(tree));
  return {
    ...childEnvironment(),
    DATABASE_URL: stores.databaseUrl,
    ...(options.where === "redis" && { REDIS_URL: redis?.url ?? "" }),
    LATCHKEY_CONFIG: options.configModule?.pathname ?? file,
    LATCHKEY_OPTIONS: file,
    LATCHKEY_MEASURES: "1",
    NODE_OPTIONS: `--import ${preload}`,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    ...options.environment,
  };
};

/** Starts the services in order and records each one at once, so that a failure can stop those that run. */
const startAll = async (
  launcher: Launcher,
  { folder, environment, absent, started }: StartOptions,
): Promise<Ports> => {
  const ports = await choosePorts();
  const urls = Object.fromEntries(
    serviceNames.map((name) => [serviceVariables(name).url, onPort(ports.of[name])]),
  );
  await inCallOrder("callees", async (service) => {
    if (absent.includes(service)) return;
    const internal = service === "gateway" ? ports.gatewayInternal : ports.of[service];
    const own = createSystemProcess(launcher, {
      service,
      ports: { port: Number(ports.of[service]), internal: Number(internal) },
      environment: { ...environment, ...urls },
      drainSeconds: 0,
      folder,
    });
    started.push(own);
    await own.answers(absent.length > 0 ? "/health/live" : "/health/ready");
  });
  return ports;
};

/** Calls `work` with a system on its own stores, and removes both afterwards. */
export const withSystem = <T>(
  options: SystemOptions,
  work: (system: System) => Promise<T>,
): Promise<T> =>
  inTemporaryFolder(async (folder) => {
    const { stores, remove } = await openStores(options.servers);
    const launcher = createLauncher();
    const started: SystemProcess[] = [];
    try {
      await options.prepare?.(stores);
      const environment = await environmentOf(options, stores, folder);
      const absent = options.absent ?? [];
      const ports = await startAll(launcher, { folder, environment, absent, started });
      return await work({
        processes: started,
        stores,
        origin: onPort(ports.of.gateway),
        originOf: (service) => onPort(ports.of[service]),
        internalOrigin: onPort(ports.gatewayInternal),
      });
    } finally {
      await Promise.all(started.map((own) => own.end("SIGTERM")));
      launcher.close();
      await remove();
    }
  });
