import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LatchkeyConfig, serviceNames } from "@latchkey/contracts";
import type { Settings } from "@latchkey/service-kit";
import { startTcpProxy } from "@latchkey/testkit";
import { runAll } from "../../scripts/run-all.ts";
import { runSplit } from "../../scripts/split/run-split.ts";
import { cheapPasswords, cheapPasswordsEnvironment } from "../cheap-passwords.ts";
import { childEnvironment } from "../child-environment.ts";
import { isPortTaken } from "./is-port-taken.ts";

export interface RunningReplicas {
  /** Origin of the first replica. */
  url: string;
  /** Internal URLs of all replicas, for health and metrics. */
  internal: readonly string[];
}

/** The running services of a stack. */
export interface RunningStack {
  /** Origin of the public gateway. */
  url: string;
  /** By name. */
  services: Readonly<Record<string, RunningReplicas>>;
  stop(): Promise<void>;
}

const isSplit = process.env["TEST_STACK"] === "split";
/** Number of processes per service. State in the memory of one process reaches the others later. */
export const replicas = isSplit ? 2 : 1;
const shownLines = 40;

const originAt = (port: number): string => `http://127.0.0.1:${port}`;

/** Whether it can be written to a file: functions cannot. */
const isData = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isData);
};

/** As in a file: a module provides the cheap passwords. */
const toData = ({ emailAndPassword, ...config }: LatchkeyConfig) => {
  const { password, ...own } = emailAndPassword ?? {};
  const isCheap = password === cheapPasswords;
  return {
    isCheap,
    file: { ...config, emailAndPassword: isCheap ? own : { ...emailAndPassword } },
  };
};

/** Counts in the memory of one process would differ between replicas. */
const sharesLimits = ({ options: { redisUrl, rateLimit } }: Settings): boolean =>
  redisUrl !== undefined || rateLimit.storage !== undefined;

const behindProxy = async (
  targets: readonly string[],
  { services, stop }: Pick<RunningStack, "services" | "stop">,
): Promise<RunningStack> => {
  const proxy = await startTcpProxy({ targets });
  return {
    url: proxy.url,
    services,
    stop: async () => {
      await proxy.stop();
      await stop();
    },
  };
};

/** Runs all services in this process. */
const runHere = async (settings: Settings, count: number) => {
  const running = await runAll(settings, count);
  const { gatewayInternalPort } = settings.network;
  const named = serviceNames.map((name) => {
    const internal = name === "gateway" ? [originAt(gatewayInternalPort)] : [...running.urls[name]];
    return [name, { url: running.services[name]?.url ?? "", internal }] as const;
  });
  return { ...running, services: Object.fromEntries(named) };
};

const runTwice = async (settings: Settings): Promise<RunningStack> => {
  const { options } = settings;
  const shared = { ...options, rateLimit: { ...options.rateLimit, storage: "database" as const } };
  const running = await runHere(
    sharesLimits(settings) ? settings : { ...settings, options: shared },
    replicas,
  );
  return behindProxy(running.urls.gateway, running);
};

const tryProcesses = async (
  settings: Settings,
  environment: Readonly<Record<string, string>>,
): Promise<RunningStack> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-stack-"));
  const options = join(folder, "config.json");
  const { isCheap, file } = toData(settings.given.file);
  await writeFile(options, JSON.stringify(file));
  const lines: string[] = [];
  try {
    const running = await runSplit({
      network: settings.network,
      replicas,
      environment: {
        ...childEnvironment(),
        ...(sharesLimits(settings) ? {} : { RATE_LIMIT_STORAGE: "database" }),
        ...environment,
        DRAIN_SECONDS: String(settings.network.drainSeconds),
        ...(isCheap ? cheapPasswordsEnvironment(options) : { LATCHKEY_CONFIG: options }),
      },
      show: (replica, line) => lines.push(`${replica} ${line}`),
    });
    const named = serviceNames.map((name) => {
      const [first] = running.ports[name];
      const internal = running.ports[name].map((own) => originAt(own.internal));
      return [name, { url: originAt(first?.port ?? 0), internal }] as const;
    });
    const gateways = running.ports.gateway.map(({ port }) => originAt(port));
    return await behindProxy(gateways, {
      services: Object.fromEntries(named),
      stop: async () => {
        await running.stop();
        await rm(folder, { recursive: true, force: true });
      },
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`the stack did not start\n${lines.slice(-shownLines).join("\n")}`, {
      cause: error,
    });
  }
};

/** Another program may take a free port before a process does. Then other ports are chosen. */
const runProcesses: typeof tryProcesses = (settings, environment) =>
  tryProcesses(settings, environment).catch((error: unknown) => {
    if (!isPortTaken(String(error))) throw error;
    return tryProcesses(settings, environment);
  });

/**
 * Runs the services: all in this process, or, if `TEST_STACK` is `split`, two replicas of each behind a proxy. Replicas are
 * processes, or run in this process if the configuration contains functions.
 */
export const runStack = async (
  settings: Settings,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningStack> => {
  if (!isSplit) return runHere(settings, 1);
  return isData(toData(settings.given.file).file)
    ? runProcesses(settings, environment)
    : runTwice(settings);
};
