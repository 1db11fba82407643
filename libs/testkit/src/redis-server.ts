import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at-exit.ts";
import { freePort } from "@latchkey/embedded-postgres";
import { endServer, launchServer } from "./launch-server.ts";

export type RedisServerOptions = {
  port?: number;
  /** Kept by `stop`. By default, a temporary directory until `stop`. */
  directory?: string;
  /** Settings for `redis-server`, after ours: `["--appendonly", "yes"]`. */
  args?: readonly string[];
};

export type RedisServer = {
  url: string;
  port: number;
  /** Changes by `restart`. */
  readonly pid: number;
  /** Ends it permanently. */
  stop(): Promise<void>;
  /** SIGKILL: data that was not on disk is lost. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Starts it again on the same port and directory, whether it runs or was killed. */
  restart(): Promise<void>;
};

const portAttempts = 3;

/** Starts a `redis-server` from PATH on 127.0.0.1, without persistence unless configured. It ends with this process. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "latchkey-redis-")));
  const removeDirectory = async () => {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  const first = await launchOnPort(options, directory).catch(async (error: unknown) => {
    await removeDirectory();
    throw error;
  });
  const keep = atExit(() => {
    if (options.directory === undefined)
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  const { port, args } = first;
  let { child } = first;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => endServer(child, "SIGKILL"),
    async stop() {
      await endServer(child, "SIGTERM");
      keep();
      await removeDirectory();
    },
    async restart() {
      await endServer(child, "SIGTERM");
      await mkdir(directory, { recursive: true });
      child = await launch(args);
    },
  };
}

type Launched = { port: number; args: string[]; child: ChildProcess };

/** Another process may take a free port before Redis does, so a port that was chosen here is chosen again. */
async function launchOnPort(
  options: RedisServerOptions,
  directory: string,
  attempt = 1,
): Promise<Launched> {
  const port = options.port ?? (await freePort());
  const args = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    directory,
    "--save",
    "",
    "--appendonly",
    "no",
    ...(options.args ?? []),
  ];
  try {
    return { port, args, child: await launch(args) };
  } catch (error) {
    if (
      options.port !== undefined ||
      attempt === portAttempts ||
      !String(error).includes("Address already in use")
    )
      throw error;
    return launchOnPort(options, directory, attempt + 1);
  }
}

const launch = (args: readonly string[]): Promise<ChildProcess> =>
  launchServer({
    command: "redis-server",
    args,
    log: "stdout",
    readyText: "Ready to accept connections",
    advice: "install Redis, or set TEST_REDIS_URL",
  });
