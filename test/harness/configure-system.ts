import type { LatchkeyConfig, ServiceName } from "@latchkey/contracts";
import {
  overlayEnvironment,
  readSecretFiles,
  readSettings,
  type Settings,
} from "@latchkey/service-kit/config";
import { inject } from "vitest";
import type { Reach } from "../../apps/all-in-one/src/run-all.ts";
import { anyPort } from "./any-port.ts";
import { cheapPasswords } from "./cheap-passwords.ts";
import { databaseEnvironment } from "./database-environment.ts";
import { type ExistingStores, type StoreKind, type Stores, testSecret } from "./stores.ts";

type Environment = Record<string, string>;

export interface SystemOptions {
  /** All services in this process. By default `TEST_STACK` may choose processes. */
  topology?: "one process";
  stores: StoreKind | ExistingStores;
  config?: LatchkeyConfig;
  /** `real` hashes passwords as in production. Otherwise they cost nothing, unless the configuration sets them. */
  passwords?: "real";
  /** Environment variables, which override the configuration. */
  environment?: Environment | ((stores: Stores) => Promise<Environment>);
  /** Pooler for the services' connections to any database. By default the one of the test run, if any. */
  poolerUrl?: string;
  /** Number of replicas of each service. */
  replicas?: number;
  /** Puts a proxy in front of each service. */
  reach?: Reach;
  /** Prepares the stores before any service starts. */
  prepare?: (settings: Settings) => Promise<unknown>;
}

/** For a system whose services run in separate processes. */
export interface ProcessOptions extends Omit<SystemOptions, "topology" | "replicas" | "reach"> {
  topology: "processes";
  /** Number of replicas, one by default. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Services that are not started. Use `start` for them. */
  absent?: readonly ServiceName[];
}

export const isSplit = process.env["TEST_STACK"] === "split";
/** Number of replicas of each service by default. State in the memory of one replica reaches the others later. */
export const replicaCount = isSplit ? 2 : 1;

/** Returns the configuration of a system on these stores. The given options win. */
const configFor = (
  { config = {}, passwords, poolerUrl }: SystemOptions | ProcessOptions,
  { databaseUrl, redisUrl, redisKeyPrefix, smtp }: Stores,
): LatchkeyConfig => {
  const { advanced, mail, emailAndPassword, ...others } = config;
  const database: LatchkeyConfig = overlayEnvironment(
    {},
    readSecretFiles(databaseEnvironment(databaseUrl, poolerUrl ?? inject("poolerUrl"))),
  );
  return {
    secret: [testSecret],
    ...database,
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...others,
    emailAndPassword: {
      ...(passwords === "real" ? {} : { password: cheapPasswords }),
      ...emailAndPassword,
    },
    mail: { smtpUrl: smtp.url, from: "Latchkey <auth@example.com>", ...mail },
    advanced: {
      ...(redisKeyPrefix === undefined ? {} : { redisKeyPrefix }),
      ...database.advanced,
      ...advanced,
      database: { ...database.advanced?.database, ...advanced?.database },
    },
  };
};

/** Several gateways share their counts, because each would otherwise allow the limit. */
const limitsEnvironment = (
  { redisUrl, rateLimit }: LatchkeyConfig,
  { topology, replicas = replicaCount }: SystemOptions | ProcessOptions,
): Environment =>
  topology === undefined && replicas !== 1 && !redisUrl && rateLimit?.storage === undefined
    ? { RATE_LIMIT_STORAGE: "database" }
    : {};

/** A busy machine may take ten times as long as a fast one. */
const slownessMax = 10;

/** Whether a system is for tests that interrupt its stores or services, and wait for the end of time limits. */
const isForOutages = (options: SystemOptions | ProcessOptions): boolean =>
  options.topology === "processes" || "reach" in options || options.stores === "own redis";

/** The configuration of a system, and the environment variables that override it. */
export interface SystemConfiguration {
  config: LatchkeyConfig;
  environment: Environment;
  settings: Settings;
}

export const configureSystem = async (
  stores: Stores,
  options: SystemOptions | ProcessOptions,
): Promise<SystemConfiguration> => {
  const config = configFor(options, stores);
  const { environment: ownEnvironment = {} } = options;
  const environment = {
    ...limitsEnvironment(config, options),
    ...(typeof ownEnvironment === "function" ? await ownEnvironment(stores) : ownEnvironment),
  };
  const settings = readSettings(config, {
    ...anyPort,
    DRAIN_SECONDS: "0",
    TIME_LIMIT_FACTOR: String(isForOutages(options) ? 1 : slownessMax),
    ...environment,
  });
  return { config, environment, settings };
};
