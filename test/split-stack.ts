import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LatchkeyConfig, type ServiceName, serviceNames } from "@latchkey/contracts";
import { readSettings, type Settings } from "@latchkey/service-kit";
import {
  freePort,
  type RedisServer,
  type SmtpCatcher,
  startRedisServer,
  startSmtpCatcher,
  until,
} from "@latchkey/testkit";
import { inject } from "vitest";
import { createStackDatabase, reachDatabase, testSecret } from "./stack.ts";
import { childEnvironment } from "./child-environment.ts";

/** Where sessions, limits and the bus live. "own redis" is a server of this stack alone, so that it can be killed. */
export type SplitStores = "postgres" | "redis" | "own redis";

export interface SplitStackOptions {
  stores: SplitStores;
  /** Without functions, because it goes through a JSON file. */
  config?: LatchkeyConfig;
  /** Over that of the stack, for every process: `{ SMTP_URL: "" }` has mails captured. */
  environment?: Record<string, string>;
  /** Processes of a service; one where nothing is said. The gateway calls the first identity. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Services that `startSplitStack` leaves to `start`. */
  absent?: readonly ServiceName[];
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
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

interface Ports {
  port: number;
  /** Of health and metrics; for the gateway another than the public one. */
  internal: number;
}

interface Replica {
  child: ChildProcess;
  ports: Ports;
  ended: Promise<Ending>;
  output(): string;
}

type Environment = Record<string, string>;

const portVariables = {
  gateway: "PORT",
  identity: "IDENTITY_PORT",
  mailer: "MAILER_PORT",
  organization: "ORGANIZATION_PORT",
  apikey: "APIKEY_PORT",
};
/** Whom each service calls. */
const callees: Record<ServiceName, readonly ServiceName[]> = {
  mailer: [],
  identity: [],
  organization: ["identity"],
  apikey: ["identity"],
  gateway: ["mailer", "identity", "organization", "apikey"],
};
const startMilliseconds = 30_000;
const endMilliseconds = 15_000;
const portAttempts = 3;
const shownCharacters = 4_000;

const choosePorts = async (service: ServiceName): Promise<Ports> => {
  const port = await freePort();
  return { port, internal: service === "gateway" ? await freePort() : port };
};

const spawnService = (
  service: ServiceName,
  ports: Ports,
  environment: Environment,
  cwd: string,
): Replica => {
  const main = join(import.meta.dirname, "..", "services", service, "src", "main.ts");
  const child = spawn(process.execPath, [main], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...childEnvironment(),
      [portVariables[service]]: String(ports.port),
      GATEWAY_INTERNAL_PORT: String(ports.internal),
      ...environment,
    },
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => written.push(text));
  const endWithUs = () => child.kill("SIGKILL");
  process.on("exit", endWithUs);
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => {
      process.off("exit", endWithUs);
      resolve({ code, signal });
    });
  });
  return { child, ports, ended, output: () => written.join("") };
};

const isRunning = ({ child }: Replica) => child.exitCode === null && child.signalCode === null;

const lastWords = (replica: Replica) => replica.output().slice(-shownCharacters);

/** Resolves with true when the process answers, with false when it ended before. */
const answers = (replica: Replica): Promise<boolean> =>
  until(
    async () => {
      if (!isRunning(replica)) return "ended";
      const { ok } = await fetch(`http://127.0.0.1:${replica.ports.internal}/health/live`);
      return ok && "answers";
    },
    { timeoutMs: startMilliseconds, describe: "the service's answer" },
  ).then((outcome) => outcome === "answers");

const endReplica = async (replica: Replica, signal: NodeJS.Signals): Promise<Ending> => {
  if (isRunning(replica)) replica.child.kill(signal);
  const impatience = setTimeout(() => replica.child.kill("SIGKILL"), endMilliseconds);
  return replica.ended.finally(() => clearTimeout(impatience));
};

/** The processes of one stack, by service. */
const createProcesses = (folder: string, shared: Environment) => {
  const ports = new Map<string, Ports>();
  const running = new Map<ServiceName, Replica[]>();
  /** What each service was last started with. */
  const environments = new Map<ServiceName, Environment>();
  const of = (service: ServiceName) => running.get(service) ?? [];

  /** A port may be lost to another process between its choice and its use; one that others were told stays. */
  const launch = async (service: ServiceName, index: number, environment: Environment) => {
    const key = `${service} ${index}`;
    const known = ports.get(key);
    for (let attempt = 1; ; attempt += 1) {
      const replica = spawnService(
        service,
        known ?? (await choosePorts(service)),
        { ...shared, ...environment },
        folder,
      );
      const isUp = await answers(replica).catch(async (error: unknown) => {
        await endReplica(replica, "SIGKILL");
        throw new Error(`${service} does not answer\n${lastWords(replica)}`, { cause: error });
      });
      if (isUp) {
        ports.set(key, replica.ports);
        return replica;
      }
      const mayPass = !known && attempt < portAttempts && replica.output().includes("EADDRINUSE");
      if (!mayPass) throw new Error(`${service} ended at its start\n${lastWords(replica)}`);
    }
  };

  return {
    of,
    start: async (service: ServiceName, count: number, environment: Environment) => {
      if (of(service).some(isRunning)) throw new Error(`${service} runs already`);
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
      Promise.all(of(service).map((replica) => endReplica(replica, signal))),
    restart: async (service: ServiceName, index: number, signal: NodeJS.Signals) => {
      const replica = of(service)[index];
      if (!replica) throw new Error(`No replica ${index} of ${service}`);
      const ending = await endReplica(replica, signal);
      of(service)[index] = await launch(service, index, environments.get(service) ?? {});
      return ending;
    },
  };
};

const readReadiness = async ({ ports }: Replica): Promise<Readiness> => {
  const answer = await fetch(`http://127.0.0.1:${ports.internal}/health/ready`);
  const { checks } = (await answer.json()) as Pick<Readiness, "checks">;
  return { status: answer.status, checks };
};

const addressOf = (replica: Replica | undefined): string => {
  if (!replica) throw new Error("No such process");
  return `http://127.0.0.1:${replica.ports.port}`;
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
    LATCHKEY_CONFIG: configFile,
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
  const processes = createProcesses(ground.folder, ground.environment);
  const start = async (service: ServiceName, environment: Environment = {}) => {
    const urls: Environment = {};
    const called = callees[service].filter((callee) => !options.absent?.includes(callee));
    for (const callee of called)
      urls[`${callee.toUpperCase()}_URL`] = addressOf(processes.of(callee)[0]);
    await processes.start(service, options.replicas?.[service] ?? 1, { ...urls, ...environment });
  };
  const stop = async () => {
    for (const service of serviceNames.toReversed()) await processes.end(service, "SIGTERM");
    await ground.close();
  };
  const present = serviceNames.filter((service) => !options.absent?.includes(service));
  try {
    for (const service of present) await start(service);
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
