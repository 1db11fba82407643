import { join } from "node:path";
import { parseArgs } from "node:util";
import { serviceNames } from "@latchkey/contracts";
import { findAdminWeb } from "@latchkey/gateway/commands";
import { basePathOf, ConfigurationError, stopOnSignal } from "@latchkey/service-kit";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { describeFirstRun } from "./describe-first-run.ts";
import { describeStores } from "./describe-stores.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { migrateAll } from "./run-all.ts";
import { type RunningSplit, runSplit } from "./split/run-split.ts";

// npm run start:split: every service in processes of its own, two of each, as in production but on one machine.

const replicasMax = 9;

const readReplicas = (): number => {
  const { values } = parseArgs({ options: { replicas: { type: "string", default: "2" } } });
  const replicas = Number(values.replicas);
  if (Number.isInteger(replicas) && replicas >= 1 && replicas <= replicasMax) return replicas;
  throw new ConfigurationError([`--replicas: must be a number from 1 to ${replicasMax}`]);
};

/** What the processes are told besides what is configured, which each reads by itself. */
const environmentOf = ({ settings, isEmbedded, isSecretKept }: Installation): NodeJS.ProcessEnv => {
  const { databaseUrl, redisUrl, rateLimit, secret } = settings.options;
  return {
    // Ten processes load the same packages: what one compiles is kept for the next.
    NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compiled"),
    ...process.env,
    ...(isEmbedded ? { DATABASE_URL: databaseUrl } : {}),
    ...(isSecretKept ? { AUTH_SECRET: secret.join(",") } : {}),
    ...(redisUrl || rateLimit.storage ? {} : { RATE_LIMIT_STORAGE: "database" }),
  };
};

const show = (replica: string, line: string): void => {
  process.stdout.write(`${replica.padEnd(14)} | ${line}\n`);
};

const describePorts = ({ ports }: RunningSplit): string => {
  const inner = serviceNames.filter((service) => service !== "gateway");
  const places = inner.map(
    (service) => `${service} ${ports[service].map(({ port }) => port).join(" ")}`,
  );
  return `ports      ${places.join(", ")} (each with /health/ready and /metrics; a gateway's are on ${ports.gateway.map(({ internal }) => internal).join(" ")})`;
};

/** What runs, in the order in which it was started; ended in the other one. */
const started: { stop(): Promise<void> }[] = [];

const stopAll = async (): Promise<void> => {
  for (const part of started.toReversed()) await part.stop();
};

const start = async (): Promise<void> => {
  const begun = performance.now();
  const replicas = readReplicas();
  const installation = await openInstallation("server");
  started.push(installation);
  const { settings } = installation;
  const hasWeb = findAdminWeb(settings) !== undefined;
  await Promise.all([migrateAll(settings), hasWeb ? keepAdminWebBuilt() : undefined]);
  const { network } = settings;
  const environment = environmentOf(installation);
  const running = await runSplit({ network, replicas, environment, show });
  started.push(running);
  const gateways = running.ports.gateway.map(({ port }) => `http://localhost:${port}`);
  const { baseURL } = settings.options;
  const origin = baseURL ? new URL(baseURL).origin : (gateways[0] ?? "");
  const firstRun = await describeFirstRun(settings, origin);
  const chosen = [
    ...describeStores(installation, "database"),
    `gateways   ${gateways.join(", ")}`,
    describePorts(running),
  ];
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  process.stdout.write(
    `Latchkey answers at ${origin}${basePathOf(settings.options)} (${seconds} s)\n  ${chosen.join("\n  ")}\n${firstRun}Ctrl-C stops everything.\n`,
  );
};

stopOnSignal(stopAll);
try {
  await start();
} catch (error) {
  await stopAll();
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
