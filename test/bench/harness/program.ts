import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { until } from "../../../libs/testkit/src/until.ts";

/** A program of ours as an operator starts it. */
export interface Program {
  /** Undefined where the system does not tell. */
  residentMegabytes(): Promise<number | undefined>;
  /** Asks it to stop, and resolves when it is gone. */
  stop(): Promise<void>;
}

interface Start {
  script: URL;
  /** Where it runs. */
  directory: string;
  environment: NodeJS.ProcessEnv;
  /** What is fetched until it answers well. */
  readyUrl: string;
}

const startMs = 120_000;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const residentMegabytes = async (pid: number | undefined): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
};

/** Starts a program, and resolves when it is ready; it ends with this one. */
export const startProgram = async (start: Start): Promise<Program> => {
  const script = fileURLToPath(start.script);
  const child = spawn(process.execPath, [script], {
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
        describe: `an answer of ${script}`,
      }),
      ended.then(([code]) => {
        throw new Error(`${script} ended with ${String(code)}`);
      }),
    ]);
    return { residentMegabytes: () => residentMegabytes(child.pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
