import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

export type RedisServerOptions = {
  port?: number;
  /** Kept by `stop`. Without it, a temporary one lives until `stop`. */
  directory?: string;
  /** Settings for `redis-server`, after ours: `["--appendonly", "yes"]`. */
  args?: readonly string[];
};

export type RedisServer = {
  url: string;
  port: number;
  /** Changes by `restart`. */
  readonly pid: number;
  /** Ends it for good. */
  stop(): Promise<void>;
  /** SIGKILL: what was not on disk is lost. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Up again on the same port and directory, whether it runs or was killed. */
  restart(): Promise<void>;
};

const portAttempts = 3;

/** A `redis-server` of PATH on 127.0.0.1 that saves nothing unless told so. It ends with this process. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "latchkey-redis-")));
  const removeDirectory = async () => {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  const first = await launchOnPort(options, directory).catch(async (error: unknown) => {
    await removeDirectory();
    throw error;
  });
  const removeAtExit = () => {
    if (options.directory === undefined)
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
  process.on("exit", removeAtExit);
  const { port, args } = first;
  let { child } = first;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end(child, "SIGKILL"),
    async stop() {
      await end(child, "SIGTERM");
      process.off("exit", removeAtExit);
      await removeDirectory();
    },
    async restart() {
      await end(child, "SIGTERM");
      await mkdir(directory, { recursive: true });
      child = await launch(args);
    },
  };
}

type Launched = { port: number; args: string[]; child: ChildProcess };

/** A free port may be taken by another before Redis has it, so a port of our choice is chosen anew. */
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

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** In a session of its own, so that Ctrl-C does not end it before the tests have closed. */
async function launch(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn("redis-server", args, {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const endWithUs = () => child.kill("SIGKILL");
  process.on("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
      if (output.length < 100) output.push(line);
    });
    child.once("error", (cause) =>
      reject(
        new Error("redis-server does not run: install Redis, or set TEST_REDIS_URL", { cause }),
      ),
    );
    child.once("close", () =>
      reject(
        new Error(["redis-server ended before it was ready", ...output.slice(-10)].join("\n  ")),
      ),
    );
  });
  child.unref();
  // A pipe of a child process is a socket, which Node's types do not say.
  if ("unref" in child.stdout && typeof child.stdout.unref === "function") child.stdout.unref();
  return child;
}
