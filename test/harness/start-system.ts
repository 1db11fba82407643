import { type ServiceName } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit/config";
import { type RedisServer, type SmtpCatcher, startTcpProxy, until } from "@latchkey/testkit";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { type Reach, runAll } from "../../apps/all-in-one/src/run-all.ts";
import { isPassable } from "./config-file.ts";
import {
  configureSystem,
  isSplit,
  type ProcessOptions,
  replicaCount,
  type SystemConfiguration,
  type SystemOptions,
} from "./configure-system.ts";
import { type ProcessControl, runProcesses } from "./run-processes.ts";
import { openStores, type Stores } from "./stores.ts";

/** The whole system on its own stores, with an SMTP server that keeps its mails. */
export interface System {
  /** Base URL with the base path. */
  url: string;
  /** Origin of the gateway, or of a proxy in front of several. */
  origin: string;
  settings: Settings;
  /** URL for a superuser, with which tests read rows. The services sign in with `roleUrl`. */
  databaseUrl: string;
  smtp: SmtpCatcher;
  /** With "own redis" only. */
  redis: RedisServer | undefined;
  /** Returns the origin of a replica, by default the first. */
  urlOf(service: ServiceName, replica?: number): string;
  /** Returns the origins of all replicas. */
  urlsOf(service: ServiceName): readonly string[];
  /** Returns the origins of all replicas for health and metrics. */
  internalUrlsOf(service: ServiceName): readonly string[];
  stop(): Promise<void>;
}

/** A system whose services run in separate processes. */
export type ProcessSystem = System & ProcessControl;

interface RunningServices extends Pick<System, "urlsOf" | "internalUrlsOf" | "stop"> {
  /** Only if they run in processes. */
  control?: ProcessControl;
}

/** Whether options change the database schema. Templates are created without such options. */
const shapesDatabase = ({ options }: Settings) => {
  const { user, session, account, verification, organization, apiKey } = options;
  const schemas = [organization.schema, apiKey.schema].flatMap((own) => Object.values(own));
  const named = [user, session, account, verification, ...schemas];
  return (
    Object.values(user.additionalFields).some(({ unique }) => unique) ||
    named.some(({ modelName }) => modelName !== undefined)
  );
};

/** Runs every service in this process. */
const runInThisProcess = async (
  settings: Settings,
  replicas: number,
  reach: Reach | undefined,
): Promise<RunningServices> => {
  const urls = new Map<ServiceName, string[]>();
  const urlsOf = (service: ServiceName) => urls.get(service) ?? [];
  const { stop } = await runAll(settings, replicas, async (service, url) => {
    urls.set(service, [...urlsOf(service), url]);
    return (await reach?.(service, url)) ?? url;
  });
  const { gatewayInternalPort } = settings.network;
  const gatewayUrls = gatewayInternalPort > 0 ? [`http://127.0.0.1:${gatewayInternalPort}`] : [];
  return {
    urlsOf,
    internalUrlsOf: (service) => (service === "gateway" ? gatewayUrls : urlsOf(service)),
    stop,
  };
};

/** Starts the services, either in this process or in processes of their own. */
const runServices = (
  options: SystemOptions | ProcessOptions,
  { config, environment, settings }: SystemConfiguration,
): Promise<RunningServices> => {
  const { drainSeconds } = settings.network;
  const run = { config, environment, drainSeconds };
  if (options.topology === "processes") {
    const { replicas, absent = [] } = options;
    return runProcesses({ ...run, absent, replicasOf: (service) => replicas?.[service] ?? 1 });
  }
  const { replicas = replicaCount, reach } = options;
  return isSplit && options.topology === undefined && !reach && isPassable(config)
    ? runProcesses({ ...run, absent: [], replicasOf: () => replicas })
    : runInThisProcess(settings, replicas, reach);
};

/** A service is ready once it reaches its stores. */
const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

/** Resolves when every replica of identity is ready, so that the first request does not come too early. */
const untilReady = async ({ internalUrlsOf }: RunningServices): Promise<void> => {
  await until(
    async () => (await Promise.all(internalUrlsOf("identity").map(isReady))).every(Boolean),
    { describe: "identity", intervalMs: 5 },
  );
};

/** Puts a proxy in front of the gateways if there are several. */
const joinGateways = async (urls: readonly string[]) => {
  const [url = "", ...others] = urls;
  return others.length === 0 ? { url, stop: async () => {} } : startTcpProxy({ targets: urls });
};

const startOn = async (
  stores: Stores,
  options: SystemOptions | ProcessOptions,
): Promise<System | ProcessSystem> => {
  const configuration = await configureSystem(stores, options);
  const { settings } = configuration;
  if (shapesDatabase(settings)) await migrateAll(settings);
  await options.prepare?.(settings);
  const running = await runServices(options, configuration);
  const { urlsOf, internalUrlsOf } = running;
  await untilReady(running).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  const gateway = await joinGateways(urlsOf("gateway"));
  return {
    url: `${gateway.url}${settings.options.basePath}`,
    origin: gateway.url,
    settings,
    databaseUrl: stores.databaseUrl,
    smtp: stores.smtp,
    redis: stores.redis,
    urlOf: (service, replica = 0) => {
      const url = urlsOf(service)[replica];
      if (url === undefined) throw new Error(`No replica ${replica} of ${service}`);
      return url;
    },
    urlsOf,
    internalUrlsOf,
    ...running.control,
    stop: async () => {
      await gateway.stop();
      await running.stop();
      await stores.close();
    },
  };
};

/**
 * Starts the system. Its services run in this process, or each in processes of its own with `topology`. If `TEST_STACK` is
 * `split`, there are two replicas of each service, in processes unless the configuration contains functions.
 */
export function startSystem(options: ProcessOptions): Promise<ProcessSystem>;
export function startSystem(options: SystemOptions): Promise<System>;
export async function startSystem(
  options: SystemOptions | ProcessOptions,
): Promise<System | ProcessSystem> {
  const stores = await openStores(options.stores);
  try {
    return await startOn(stores, options);
  } catch (error) {
    await stores.close();
    throw error;
  }
}
