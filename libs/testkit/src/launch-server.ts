import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { atExit } from "./at-exit.ts";

export type ServerProgram = {
  command: string;
  args: readonly string[];
  /** The stream of its log, and the text there that shows that it is ready. */
  log: "stdout" | "stderr";
  readyText: string;
  /** Advice for the error if the program cannot be started. */
  advice: string;
};

/** Starts a server and waits until it is ready. It runs in its own session, so that Ctrl-C does not end it before the tests have closed. */
export async function launchServer(program: ServerProgram): Promise<ChildProcess> {
  const { command, args, log, readyText, advice } = program;
  const child = spawn(command, args, {
    detached: true,
    stdio: [
      "ignore",
      ...(log === "stdout" ? (["pipe", "inherit"] as const) : (["ignore", "pipe"] as const)),
    ],
  });
  child.once(
    "exit",
    atExit(() => child.kill("SIGKILL")),
  );
  const stream = child[log];
  if (stream === null) throw new Error(`${command} has no ${log}`);
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.includes(readyText)) resolve();
      if (output.length < 100) output.push(line);
    });
    child.once("error", (cause) =>
      reject(new Error(`${command} does not run: ${advice}`, { cause })),
    );
    child.once("close", () =>
      reject(
        new Error([`${command} ended before it was ready`, ...output.slice(-10)].join("\n  ")),
      ),
    );
  });
  child.unref();
  // A pipe of a child process is a socket, which Node's types do not declare.
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  return child;
}

/** Resolves when the process has ended, or could not be started. */
export async function endServer(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
