import { parseArgs } from "node:util";
import { presentServices } from "@latchkey/contracts";
import { ConfigurationError } from "@latchkey/service-kit/config";
import { describeStores } from "./describe-stores.ts";
import type { Installation } from "@latchkey/cli/open-installation";
import { runStart } from "./run-start.ts";
import { type RunningSplit, runSplit } from "./split/run-split.ts";

// npm run start:split: runs every service in two separate processes, as in production but on one machine.

const replicasMax = 9;

const readReplicas = (): number => {
  const { values } = parseArgs({ options: { replicas: { type: "string", default: "2" } } });
  const replicas = Number(values.replicas);
  if (Number.isInteger(replicas) && replicas >= 1 && replicas <= replicasMax) return replicas;
  throw new ConfigurationError([`--replicas: must be a number from 1 to ${replicasMax}`]);
};

/** The environment of the processes beyond the configuration, which each process reads itself. */
const environmentOf = ({ settings, ownData, isSecretKept }: Installation): NodeJS.ProcessEnv => {
  const { databaseUrl, redisUrl, rateLimit, secret } = settings.options;
  return {
    ...process.env,
    ...(ownData ? { DATABASE_URL: databaseUrl } : {}),
    ...(isSecretKept ? { AUTH_SECRET: secret.join(",") } : {}),
    ...(redisUrl || rateLimit.storage ? {} : { RATE_LIMIT_STORAGE: "database" }),
  };
};

const show = (replica: string, line: string): void => {
  process.stdout.write(`${replica.padEnd(14)} | ${line}\n`);
};

const describePorts = ({ services, ports }: RunningSplit): string => {
  const inner = services.filter((service) => service !== "gateway");
  const places = inner.map(
    (service) => `${service} ${ports[service].map(({ port }) => port).join(" ")}`,
  );
  return `ports      ${places.join(", ")} (each with /health/ready and /metrics; a gateway's are on ${ports.gateway.map(({ internal }) => internal).join(" ")})`;
};

await runStart(() => {
  const replicas = readReplicas();
  return async (installation) => {
    const { network, options } = installation.settings;
    const services = presentServices(options);
    const environment = environmentOf(installation);
    const running = await runSplit({ network, services, replicas, environment, show });
    const gateways = running.ports.gateway.map(({ port }) => `http://localhost:${port}`);
    return {
      origin: gateways[0] ?? "",
      lines: [
        ...describeStores(installation, "database"),
        `gateways   ${gateways.join(", ")}`,
        describePorts(running),
      ],
      stop: running.stop,
    };
  };
});
