import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { childEnvironment } from "./child-environment.ts";
import type { CommandResult } from "./run-latchkey.ts";
import { systemUnderTest } from "./system-under-test.ts";

/** A command without standard input. */
export interface ResidentCommand {
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
}

/** Runs commands in one process. */
export interface ResidentLatchkey {
  run(
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<CommandResult>;
  stop(): Promise<void>;
}

/**
 * Starts a process that runs commands of `npx latchkey` in a folder, one at a time. It saves a start per command. A test about the
 * process of a command, such as its input or its files, uses `runLatchkey`.
 */
export const startResidentLatchkey = (folder: string): ResidentLatchkey => {
  const child = fork(join(systemUnderTest(), "test", "harness", "resident-latchkey.ts"), {
    cwd: folder,
    env: childEnvironment(),
    execArgv: [],
  });
  const ended = once(child, "exit");
  return {
    run: async (args, environment = {}) => {
      const answered = once(child, "message");
      child.send({ args, environment: { ...childEnvironment(), ...environment } });
      const results = await Promise.race([answered, ended.then(() => undefined)]);
      if (!results) throw new Error(`The process of the commands ended in: ${args.join(" ")}`);
      return results[0] as CommandResult;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};
