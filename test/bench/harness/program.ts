import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../../libs/testkit/src/until.ts";

/** A program of the project, started as by an operator. */
export interface Program {
  pid: number;
  /** Undefined if the operating system does not report it. */
  residentMegabytes(): Promise<number | undefined>;
  /** Asks it to stop, and resolves when it has exited. */
  stop(): Promise<void>;
}

interface Start {
  script: URL;
  /** Working directory. */
  directory: string;
  environment: NodeJS.ProcessEnv;
  /** URL that is requested until it answers 200. */
  readyUrl: string;
}

const startMs = 120_000;
const root = join(import.meta.dirname, "../../..");
/** Runs a program for npm scripts. */
const launcher = join(root, "scripts/run.js");

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const residentMegabytes = async (pid: number | undefined): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
};

/** Starts a program and resolves when it is ready. It exits with this process. */
export const startProgram = async (start: Start): Promise<Program> => {
  const script = relative(root, fileURLToPath(start.script));
  const child = spawn(process.execPath, [launcher, script], {
    cwd: start.directory,
    env: start.environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  running.add(child);
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    running.delete(child);
  };
  try {
    await Promise.race([
      until(() => fetch(start.readyUrl).then(({ ok }) => ok), {
        timeoutMs: startMs,
        intervalMs: 5,
        describe: `an answer from ${script}`,
      }),
      ended.then(([code]) => {
        throw new Error(`${script} ended with ${String(code)}`);
      }),
    ]);
    // A program that answers has a process id.
    return {
      pid: child.pid as number,
      residentMegabytes: () => residentMegabytes(child.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
