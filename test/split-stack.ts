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

/** Where sessions, limits and the bus live. "own redis" is a server of this stack alone, so that it can be killed. */
export type SplitStores = "postgres" | "redis" | "own redis";

export interface SplitStackOptions {
  stores: SplitStores;
  /** Without functions, because it goes through a JSON file. */
  config?: LatchkeyConfig;
  /** `real` hashes passwords as production does; otherwise they cost nothing. */
  passwords?: "real";
  /** Over that of the stack, for every process: `{ SMTP_URL: "" }` has mails captured. */
  environment?: Record<string, string>;
  /** Processes of a service; one where nothing is said. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Services that `startSplitStack` leaves to `start`. */
  absent?: readonly ServiceName[];
}

export interface Readiness {
  status: number;
  checks: Record<string, boolean>;
}

/** Every service in a process of its own, as in production, on a database of its own. */
export interface SplitStack {
  /** Base URL with the base path, of the first gateway. */
  url: string;
  origin: string;
  settings: Settings;
  databaseUrl: string;
  /** Where the services send mails, unless the environment says otherwise. */
  smtp: SmtpCatcher;
  /** With "own redis" only. */
  redis: RedisServer | undefined;
  /** Starts all replicas of a service, on the ports they had; resolves when they answer, ready or not. */
  start(service: ServiceName, environment?: Record<string, string>): Promise<void>;
  /** SIGKILL to all replicas of a service; resolves when they are gone. */
  kill(service: ServiceName): Promise<void>;
  /** SIGTERM to all replicas of a service. */
  end(service: ServiceName): Promise<Ending[]>;
  /** Ends one replica, gently or not, and starts it again on its port; resolves when it answers. */
  restart(service: ServiceName, replica: number, signal: "SIGTERM" | "SIGKILL"): Promise<Ending>;
  /** What `/health/ready` of a replica says. */
  readiness(service: ServiceName, replica?: number): Promise<Readiness>;
  /** Where a replica of a service listens, the first one where none is named. */
  addressOf(service: ServiceName, replica?: number): string;
  /** What the running replicas of a service have written. */
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

/** What the stack stands on; `close` gives it all back. */
const createGround = async (options: SplitStackOptions) => {
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
  const ground = await createGround(options);
  const { drainSeconds } = ground.settings.network;
  const processes = createReplicas(ground.folder, ground.environment, drainSeconds);
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
    await ground.close();
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
      return `${origin()}${ground.settings.options.basePath}`;
    },
    get origin() {
      return origin();
    },
    settings: ground.settings,
    databaseUrl: ground.database.url,
    smtp: ground.smtp,
    redis: ground.redis,
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
