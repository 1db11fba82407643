import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LatchkeyConfig,
  type ServiceName,
  serviceNames,
  serviceVariables,
} from "@latchkey/contracts";
import { readSettings, type Settings } from "@latchkey/service-kit";
import {
  type RedisServer,
  type SmtpCatcher,
  startRedisServer,
  startSmtpCatcher,
} from "@latchkey/testkit";
import { inject } from "vitest";
import { callees } from "../scripts/split/callees.ts";
import { inCallOrder } from "../scripts/split/in-call-order.ts";
import type { Ending } from "../scripts/split/start-service-process.ts";
import { cheapPasswordsEnvironment } from "./cheap-passwords.ts";
import { createStackDatabase, testSecret } from "./stack.ts";
import { reachDatabase } from "./reach-database.ts";
import { createReplicas, type Replica } from "./split/create-replicas.ts";

/** The store of sessions, limits and the bus. "own redis" is a server of this stack only, so that it can be killed. */
export type SplitStores = "postgres" | "redis" | "own redis";

export interface SplitStackOptions {
  stores: SplitStores;
  /** Without functions, because it is passed as a JSON file. */
  config?: LatchkeyConfig;
  /** `real` hashes passwords as in production. Otherwise they cost nothing. */
  passwords?: "real";
  /** Overrides the stack's environment for every process: with `{ SMTP_URL: "" }` mails are captured. */
  environment?: Record<string, string>;
  /** Number of processes of a service. The default is one. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Services that `startSplitStack` does not start. Use `start` for them. */
  absent?: readonly ServiceName[];
}

export interface Readiness {
  status: number;
  checks: Record<string, boolean>;
}

/** Every service in a separate process, as in production, with a separate database. */
export interface SplitStack {
  /** Base URL of the first gateway, with the base path. */
  url: string;
  origin: string;
  settings: Settings;
  databaseUrl: string;
  /** Receives the mails, unless the environment says otherwise. */
  smtp: SmtpCatcher;
  /** With "own redis" only. */
  redis: RedisServer | undefined;
  /** Starts all replicas of a service on their previous ports. Resolves when they answer, ready or not. */
  start(service: ServiceName, environment?: Record<string, string>): Promise<void>;
  /** Sends SIGKILL to all replicas of a service. Resolves when they have exited. */
  kill(service: ServiceName): Promise<void>;
  /** Sends SIGTERM to all replicas of a service. */
  end(service: ServiceName): Promise<Ending[]>;
  /** Ends one replica with the signal and starts it again on its port. Resolves when it answers. */
  restart(service: ServiceName, replica: number, signal: "SIGTERM" | "SIGKILL"): Promise<Ending>;
  /** Returns the answer of `/health/ready` of a replica. */
  readiness(service: ServiceName, replica?: number): Promise<Readiness>;
  /** Returns the address of a replica, by default the first. */
  addressOf(service: ServiceName, replica?: number): string;
  /** Returns the output of the running replicas of a service. */
  output(service: ServiceName): string;
  stop(): Promise<void>;
}

type Environment = Record<string, string>;

const readReadiness = async ({ ports }: Replica): Promise<Readiness> => {
  const answer = await fetch(`http://127.0.0.1:${ports.internal}/health/ready`);
  const { checks } = (await answer.json()) as Pick<Readiness, "checks">;
  return { status: answer.status, checks };
};

const addressOf = (replica: Replica | undefined): string => {
  if (!replica) throw new Error("No such process");
  return replica.url;
};

/** The stores of the stack. `close` removes them. */
const createContext = async (options: SplitStackOptions) => {
  const database = await createStackDatabase();
  const smtp = await startSmtpCatcher({});
  const redis = options.stores === "own redis" ? await startRedisServer() : undefined;
  const folder = await mkdtemp(join(tmpdir(), "latchkey-split-"));
  const redisUrl = options.stores === "redis" ? inject("redisUrl") : redis?.url;
  const configFile = join(folder, "config.json");
  const { advanced, ...config } = options.config ?? {};
  const tree = {
    ...config,
    advanced: { redisKeyPrefix: `test-${randomBytes(6).toString("hex")}`, ...advanced },
  };
  await writeFile(configFile, JSON.stringify(tree));
  const environment: Environment = {
    AUTH_SECRET: testSecret,
    ...reachDatabase(database.url, inject("poolerUrl")),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    SMTP_URL: smtp.url,
    MAIL_FROM: "Latchkey <auth@example.com>",
    ...(options.passwords === "real"
      ? { LATCHKEY_CONFIG: configFile }
      : cheapPasswordsEnvironment(configFile)),
    LOG_LEVEL: "warn",
    ...options.environment,
  };
  const close = async () => {
    await redis?.stop();
    await smtp.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    database,
    smtp,
    redis,
    folder,
    environment,
    settings: readSettings(tree, environment),
    close,
  };
};

/** Starts the services, each after those that it calls. */
export const startSplitStack = async (options: SplitStackOptions): Promise<SplitStack> => {
  const context = await createContext(options);
  const { drainSeconds } = context.settings.network;
  const processes = createReplicas(context.folder, context.environment, drainSeconds);
  const isPresent = (service: ServiceName) => !options.absent?.includes(service);
  const start = async (service: ServiceName, environment: Environment = {}) => {
    const urls: Environment = {};
    for (const callee of callees[service].filter(isPresent))
      urls[serviceVariables(callee).url] = processes.of(callee).map(addressOf).join(",");
    await processes.start(service, options.replicas?.[service] ?? 1, { ...urls, ...environment });
  };
  const stop = async () => {
    await Promise.all(serviceNames.map((service) => processes.end(service, "SIGTERM")));
    processes.close();
    await context.close();
  };
  try {
    await inCallOrder("callees", async (service) => {
      if (isPresent(service)) await start(service);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const origin = () => addressOf(processes.of("gateway")[0]);
  return {
    get url() {
      return `${origin()}${context.settings.options.basePath}`;
    },
    get origin() {
      return origin();
    },
    settings: context.settings,
    databaseUrl: context.database.url,
    smtp: context.smtp,
    redis: context.redis,
    start,
    kill: async (service) => {
      await processes.end(service, "SIGKILL");
    },
    end: (service) => processes.end(service, "SIGTERM"),
    restart: (service, replica, signal) => processes.restart(service, replica, signal),
    readiness: async (service, replica = 0) => {
      const found = processes.of(service)[replica];
      if (!found) throw new Error(`No replica ${replica} of ${service}`);
      return readReadiness(found);
    },
    addressOf: (service, replica = 0) => addressOf(processes.of(service)[replica]),
    output: (service) =>
      processes
        .of(service)
        .map((replica) => replica.output())
        .join(""),
    stop,
  };
};
