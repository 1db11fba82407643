import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { childEnvironment } from "./child-environment.ts";
import { houseUnderTest } from "./house/house-under-test.ts";

/** What an operator runs. */
export const latchkeyScript = (house = houseUnderTest()): string =>
  join(house, "scripts", "latchkey.ts");

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
  { folder, environment = {}, input = "", house }: CommandOptions,
): Promise<CommandResult> => {
  const child = spawn(process.execPath, [latchkeyScript(house), ...args], {
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
