import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { childEnvironment } from "./child-environment.ts";
import { systemUnderTest } from "./system-under-test.ts";

/** The script that an operator runs. */
export const latchkeyScript = (system = systemUnderTest()): string =>
  join(system, "apps", "cli", "src", "latchkey.ts");

export interface CommandOptions {
  /** Working directory. */
  folder: string;
  /** Its environment, in addition to the search path. */
  environment?: Readonly<Record<string, string>>;
  /** Its standard input, empty by default. */
  input?: string;
  /** The folder of the code. By default the code under test. */
  system?: string;
  /** The program. By default that of the code. */
  script?: string;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command as an operator does, in a separate process. */
export const runLatchkey = async (
  args: readonly string[],
  { folder, environment = {}, input = "", system, script = latchkeyScript(system) }: CommandOptions,
): Promise<CommandResult> => {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...childEnvironment(), ...environment },
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  child.stdin.on("error", () => {}); // a command without input may exit before it is written
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
};
