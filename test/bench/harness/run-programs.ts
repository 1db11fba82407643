import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServiceName, serviceNames, serviceVariables } from "@latchkey/contracts";
import { childEnvironment } from "../../child-environment.ts";
import type { Stores } from "./open-stores.ts";
import { choosePorts, type Ports } from "./choose-ports.ts";
import { type Program, startProgram } from "./program.ts";
import { benchSecret, benchToken } from "./stack-settings.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** Where a client finds one of each service. */
export interface Doors {
  gateway: string;
  apikey: string;
}

/** What runs, and where it is asked. */
export interface Running {
  programs: readonly { name: string; program: Program }[];
  doors: readonly Doors[];
}

interface Ground {
  directory: string;
  environment: Record<string, string>;
}

const onPort = (port: string) => `http://127.0.0.1:${port}`;

const doorsOf = (ports: Ports): Doors => ({
  gateway: onPort(ports.of.gateway),
  apikey: onPort(ports.of.apikey),
});

/** Where a service says that it is ready; the gateway does so on a port of its own. */
const internalPortOf = (service: ServiceName, ports: Ports): string =>
  service === "gateway" ? ports.gatewayInternal : ports.of[service];

const addressesOf = (ports: Ports): Record<string, string> =>
  Object.fromEntries(
    serviceNames.map((service) => [serviceVariables(service).url, onPort(ports.of[service])]),
  );

/** As in production with Redis: the gateway answers from cookies, and nobody is limited. */
const withGround = <T>(stores: Stores, work: (ground: Ground) => Promise<T>): Promise<T> =>
  inTemporaryFolder(async (directory) => {
    const { redis } = stores.stackInput("redis");
    const config = join(directory, "config.json");
    const options = {
      secret: [benchSecret],
      rateLimit: { enabled: false },
      session: { cookieCache: { enabled: true } },
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

/** Gives `work` so many of each service, each a process of its own; a gateway asks the services of its own number. */
export const withReplicas = <T>(
  { stores, count }: { stores: Stores; count: number },
  work: (running: Running) => Promise<T>,
): Promise<T> =>
  withGround(stores, async ({ directory, environment }) => {
    const programs: { name: string; program: Program }[] = [];
    const doors: Doors[] = [];
    try {
      for (let number = 0; number < count; number += 1) {
        const ports = await choosePorts();
        doors.push(doorsOf(ports));
        for (const service of serviceNames) {
          const program = await startProgram({
            script: scriptOf(service),
            directory,
            environment: { ...environment, ...ports.environment, ...addressesOf(ports) },
            readyUrl: `${onPort(internalPortOf(service, ports))}/health/ready`,
          });
          programs.push({ name: service, program });
        }
      }
      return await work({ programs, doors });
    } finally {
      await stopAll(programs);
    }
  });

/** Gives `work` what `npm start` starts: all services in one process. */
export const withNpmStart = <T>(
  stores: Stores,
  work: (running: Running) => Promise<T>,
): Promise<T> =>
  withGround(stores, async ({ directory, environment }) => {
    const ports = await choosePorts();
    const doors = doorsOf(ports);
    const program = await startProgram({
      script: new URL("../../../scripts/start.ts", import.meta.url),
      directory,
      environment: { ...environment, ...ports.environment },
      readyUrl: `${doors.gateway}/api/auth/ok`,
    });
    try {
      return await work({ programs: [{ name: "npm start", program }], doors: [doors] });
    } finally {
      await program.stop();
    }
  });
