import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { PostgresAccount } from "./account.ts";
import { ownerSetting } from "./orphan.ts";

const readyMs = 120_000;
const fastShutdownMs = 8_000;

type LaunchInput = {
  postgres: string;
  directory: string;
  account: PostgresAccount;
  flags: readonly string[];
  log: (line: string) => void;
};

/** A running server, or the output of one that failed to start. */
export type Launched = { stop(): Promise<void> } | { output: string[] };

/**
 * Starts the server and returns once it accepts connections. It runs in its own session, so that Ctrl-C in a terminal does not
 * stop it while requests are drained. It does not keep this process alive.
 */
export async function launchEmbeddedPostgres({
  postgres,
  directory,
  account,
  flags,
  log,
}: LaunchInput): Promise<Launched> {
  const child = spawn(
    postgres,
    ["-D", directory, "-c", `${ownerSetting}=${process.pid}`, ...flags],
    {
      ...account,
      cwd: directory,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
    },
  );
  const endWithUs = () => child.kill("SIGINT");
  process.on("exit", endWithUs);
  const output = await waitUntilReady(child, child.stderr, log);
  if (output !== undefined) {
    process.off("exit", endWithUs);
    return { output };
  }
  let stopping = false;
  child.once("exit", (code, signal) => {
    process.off("exit", endWithUs);
    if (!stopping) log(`Postgres ended unexpectedly (${signal ?? `exit code ${code}`})`);
  });
  child.unref();
  unref(child.stderr);
  return {
    stop() {
      stopping = true;
      return shutDown(child);
    },
  };
}

/** Returns undefined when the server is ready, or its output if it ends before. */
function waitUntilReady(
  child: ChildProcess,
  stderr: Readable,
  log: (line: string) => void,
): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const output: string[] = [];
    let ready = false;
    const deadline = setTimeout(() => {
      output.push(`no answer within ${readyMs / 1000} s`);
      child.kill("SIGQUIT");
    }, readyMs);
    const finish = (result: string[] | undefined) => {
      clearTimeout(deadline);
      resolve(result);
    };
    createInterface({ input: stderr }).on("line", (line) => {
      log(line);
      if (ready) return;
      output.push(line);
      ready = line.includes("database system is ready to accept connections");
      if (ready) finish(undefined);
    });
    child.once("error", (error) => finish([...output, String(error)]));
    child.once("close", () => finish(output));
  });
}

/**
 * Stops the server. SIGINT is Postgres's fast shutdown: it ends open sessions and flushes data. SIGQUIT skips the flush, and
 * the next start recovers.
 */
async function shutDown(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const impatience = setTimeout(() => child.kill("SIGQUIT"), fastShutdownMs);
  await ended;
  clearTimeout(impatience);
}

/** The pipe of a child process is a socket, which Node's types do not declare. */
function unref(stream: Readable): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}
