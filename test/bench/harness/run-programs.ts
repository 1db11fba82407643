import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { childEnvironment } from "../../harness/child-environment.ts";
import type { Stores } from "./open-stores.ts";
import { choosePorts, type Ports } from "./choose-ports.ts";
import { type Program, startProgram } from "./program.ts";
import { benchSecret, benchToken } from "./stack-settings.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** Base URLs for clients, one of each service. */
export interface Addresses {
  gateway: string;
  apikey: string;
}

/** The running programs and their addresses. */
export interface Running {
  programs: readonly { name: string; program: Program }[];
  addresses: readonly Addresses[];
}

interface BenchContext {
  directory: string;
  environment: Record<string, string>;
}

const onPort = (port: string) => `http://127.0.0.1:${port}`;

const addressesOf = (ports: Ports): Addresses => ({
  gateway: onPort(ports.of.gateway),
  apikey: onPort(ports.of.apikey),
});

/** Returns the port of a service's readiness. The gateway has a separate port for it. */
const internalPortOf = (service: ServiceName, ports: Ports): string =>
  service === "gateway" ? ports.gatewayInternal : ports.of[service];

/** The addresses of the replicas of each service. */
type Urls = Readonly<Partial<Record<ServiceName, readonly string[]>>>;

const urlsOf = (ports: Ports): Urls =>
  Object.fromEntries(serviceNames.map((service) => [service, [onPort(ports.of[service])]]));

const urlVariablesOf = (urls: Urls): Record<string, string> =>
  Object.fromEntries(
    serviceNames.map((service) => [serviceVariables(service).url, (urls[service] ?? []).join(",")]),
  );

/** As in production with Redis: the gateway answers from cookies, unless told otherwise. Rate limits are off. */
const withContext = <T>(
  stores: Stores,
  work: (context: BenchContext) => Promise<T>,
  { cookieCache = true } = {},
): Promise<T> =>
  inTemporaryFolder(async (directory) => {
    const { redis } = stores.stackInput("redis");
    const config = join(directory, "config.json");
    const options = {
      secret: [benchSecret],
      rateLimit: { enabled: false },
      session: { cookieCache: { enabled: cookieCache } },
      serviceTokens: { bench: benchToken },
      advanced: { redisKeyPrefix: redis?.keyPrefix },
    };
    await writeFile(config, JSON.stringify(options));
    const environment = {
      ...childEnvironment(),
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: redis?.url ?? "",
      LATCHKEY_CONFIG: config,
      LOG_LEVEL: "warn",
    };
    return work({ directory, environment });
  });

const stopAll = async (programs: Running["programs"]): Promise<void> => {
  for (const { program } of programs.toReversed()) await program.stop();
};

const scriptOf = (service: ServiceName) =>
  new URL(`../../../services/${service}/src/main.ts`, import.meta.url);

const startService = (
  { directory, environment }: BenchContext,
  { service, ports, urls }: { service: ServiceName; ports: Ports; urls: Urls },
): Promise<Program> =>
  startProgram({
    script: scriptOf(service),
    directory,
    environment: { ...environment, ...ports.environment, ...urlVariablesOf(urls) },
    readyUrl: `${onPort(internalPortOf(service, ports))}/health/ready`,
  });

/** A process of a service. */
export interface StartedService {
  url: string;
  program: Program;
}

/** Starts a process of a service that calls the given services. */
export type StartService = (service: ServiceName, calls?: Urls) => Promise<StartedService>;

/** Calls `work` with a function that starts single processes, and ends them afterwards. */
export const withStarter = <T>(
  { stores, cookieCache }: { stores: Stores; cookieCache: boolean },
  work: (start: StartService) => Promise<T>,
): Promise<T> =>
  withContext(
    stores,
    async (context) => {
      const programs: { name: string; program: Program }[] = [];
      try {
        return await work(async (service, calls = {}) => {
          const ports = await choosePorts();
          const urls = { ...urlsOf(ports), ...calls };
          const program = await startService(context, { service, ports, urls });
          programs.push({ name: service, program });
          return { url: onPort(ports.of[service]), program };
        });
      } finally {
        await stopAll(programs);
      }
    },
    { cookieCache },
  );

/** Calls `work` with replicas of each service, each in its own process. A gateway calls the services with its own number. */
export const withReplicas = <T>(
  { stores, count }: { stores: Stores; count: number },
  work: (running: Running) => Promise<T>,
): Promise<T> =>
  withContext(stores, async (context) => {
    const programs: { name: string; program: Program }[] = [];
    const addresses: Addresses[] = [];
    try {
      for (let number = 0; number < count; number += 1) {
        const ports = await choosePorts();
        addresses.push(addressesOf(ports));
        for (const service of serviceNames) {
          const program = await startService(context, { service, ports, urls: urlsOf(ports) });
          programs.push({ name: service, program });
        }
      }
      return await work({ programs, addresses });
    } finally {
      await stopAll(programs);
    }
  });

/** Calls `work` with the result of `npm start`: all services in one process. */
export const withNpmStart = <T>(
  stores: Stores,
  work: (running: Running) => Promise<T>,
): Promise<T> =>
  withContext(stores, async ({ directory, environment }) => {
    const ports = await choosePorts();
    const addresses = addressesOf(ports);
    const program = await startProgram({
      script: new URL("../../../apps/all-in-one/src/start.ts", import.meta.url),
      directory,
      environment: { ...environment, ...ports.environment },
      readyUrl: `${addresses.gateway}/api/auth/ok`,
    });
    try {
      return await work({ programs: [{ name: "npm start", program }], addresses: [addresses] });
    } finally {
      await program.stop();
    }
  });
