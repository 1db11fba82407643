import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "@latchkey/service-kit";
import { startTcpProxy } from "@latchkey/testkit";
import { runAll } from "../../scripts/run-all.ts";
import { runSplit } from "../../scripts/split/run-split.ts";
import { childEnvironment } from "../child-environment.ts";

/** The services of a stack, however they run. */
export interface RunningStack {
  /** Origin of the public door. */
  url: string;
  /** By name; of several replicas, the first one. */
  services: Readonly<Record<string, { url: string }>>;
  stop(): Promise<void>;
}

const isSplit = process.env["TEST_STACK"] === "split";
/** How many processes of a service answer; what one keeps in its memory, another one hears of later. */
export const replicas = isSplit ? 2 : 1;
const shownLines = 40;

/** Whether it can go through a file: functions cannot. */
const isData = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isData);
};

/** What counts in the memory of one process would be told apart by the replicas. */
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

const runTwice = async (settings: Settings): Promise<RunningStack> => {
  const { options } = settings;
  const shared = { ...options, rateLimit: { ...options.rateLimit, storage: "database" as const } };
  const running = await runAll(
    sharesLimits(settings) ? settings : { ...settings, options: shared },
    replicas,
  );
  return behindProxy(running.urls.gateway, running);
};

const runProcesses = async (
  settings: Settings,
  environment: Readonly<Record<string, string>>,
): Promise<RunningStack> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-stack-"));
  const configFile = join(folder, "config.json");
  await writeFile(configFile, JSON.stringify(settings.given.file));
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
        LATCHKEY_CONFIG: configFile,
      },
      show: (replica, line) => lines.push(`${replica} ${line}`),
    });
    const urlsOf = (ports: readonly { port: number }[]) =>
      ports.map(({ port }) => `http://127.0.0.1:${port}`);
    const named = Object.entries(running.ports).map(([name, ports]) => [
      name,
      { url: urlsOf(ports)[0] },
    ]);
    return await behindProxy(urlsOf(running.ports.gateway), {
      services: Object.fromEntries(named) as RunningStack["services"],
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

/**
 * Runs the services as `TEST_STACK` says: all in this process, or, where it is `split`, two replicas of each behind a proxy: as
 * processes, or in this one where the configuration holds functions.
 */
export const runStack = async (
  settings: Settings,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningStack> => {
  if (!isSplit) return runAll(settings);
  return isData(settings.given.file) ? runProcesses(settings, environment) : runTwice(settings);
};
