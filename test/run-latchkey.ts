import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { childEnvironment } from "./child-environment.ts";

const thisHouse = join(import.meta.dirname, "..");

export interface CommandOptions {
  /** The folder that it runs in. */
  folder: string;
  /** All that it is told of the environment, besides where programs are. */
  environment?: Readonly<Record<string, string>>;
  /** What is piped in; nothing otherwise. */
  input?: string;
  /** The folder of the code that is run: ours, unless another is named. */
  house?: string;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command as an operator does, in a process of its own. */
export const runLatchkey = async (
  args: readonly string[],
  { folder, environment = {}, input = "", house = thisHouse }: CommandOptions,
): Promise<CommandResult> => {
  const child = spawn(process.execPath, [join(house, "scripts", "latchkey.ts"), ...args], {
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...childEnvironment(), ...environment },
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  child.stdin.on("error", () => {}); // a command that needs no input may be gone before it is written
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
};
