import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type LatchkeyConfig,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { createLauncher, type Launcher } from "../../../scripts/split/create-launcher.ts";
import { inCallOrder } from "../../../scripts/split/in-call-order.ts";
import { choosePorts, type Ports } from "../../bench/harness/choose-ports.ts";
import { openStores, type Stores } from "../../bench/harness/open-stores.ts";
import { benchSecret, benchToken } from "../../bench/harness/stack-settings.ts";
import { inTemporaryFolder } from "../../bench/harness/temporary-folder.ts";
import { childEnvironment } from "../../child-environment.ts";
import { createHouseProcess, type HouseProcess } from "./house-process.ts";

/** Servers that tests and scripts have. */
export interface Servers {
  databaseUrl: string;
  redisUrl: string;
}

/** Where sessions, limits and the bus live. */
export type Where = "postgres" | "redis";

export interface HouseOptions {
  servers: Servers;
  where: Where;
  /** Without functions, because it goes through a JSON file. */
  config?: LatchkeyConfig;
  environment?: Record<string, string>;
  /** A module whose default export is the configuration, for functions; it may read `LATCHKEY_OPTIONS`, the JSON of the others. */
  configModule?: URL;
  /** Services that are not needed. */
  absent?: readonly ServiceName[];
  /** Fills the stores before anything runs. */
  prepare?: (stores: Stores) => Promise<void>;
}

/** Every service in a process of its own, watched. */
export interface House {
  processes: readonly HouseProcess[];
  stores: Stores;
  /** Of the public door. */
  origin: string;
  /** Of any service's port. */
  originOf(service: ServiceName): string;
  /** Of the gateway's health and metrics. */
  internalOrigin: string;
}

interface StartOptions {
  folder: string;
  environment: Record<string, string>;
  absent: readonly ServiceName[];
  started: HouseProcess[];
}

const teller = pathToFileURL(join(import.meta.dirname, "tell-of-process.ts")).href;
const onPort = (port: string) => `http://127.0.0.1:${port}`;

const environmentOf = async (options: HouseOptions, stores: Stores, folder: string) => {
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
    LATCHKEY_TELLS: "1",
    NODE_OPTIONS: `--import ${teller}`,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    ...options.environment,
  };
};

/** Starts one after the other, and notes each as soon as there is something to end. */
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
    const own = createHouseProcess(launcher, {
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

/** Gives `work` a house on stores of its own, and removes both after it. */
export const withHouse = <T>(
  options: HouseOptions,
  work: (house: House) => Promise<T>,
): Promise<T> =>
  inTemporaryFolder(async (folder) => {
    const { stores, remove } = await openStores(options.servers);
    const launcher = createLauncher();
    const started: HouseProcess[] = [];
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
