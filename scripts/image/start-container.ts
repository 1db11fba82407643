import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { placeIn, type Replayed } from "./replay-image.ts";

/** A process that runs what an image says, as its account. */
export interface Container {
  pid: number;
  /** Its exit code, and all that it said. */
  ended: Promise<{ code: number | null; said: string }>;
  /** Asks it to end. */
  stop(): void;
}

const commandOf = (image: Replayed, command: readonly string[]): string[] =>
  command.map((word) => (word.startsWith("/") ? placeIn(image.root, word) : word));

/** Runs a command in an image that was made in a folder; by itself the root account may become another one. */
export const startContainer = (
  image: Replayed,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Container => {
  const [program = "", ...args] = commandOf(image, command);
  const [uid, gid] = image.user.split(":").map(Number);
  const child = spawn(program, args, {
    cwd: join(image.root, image.workingDirectory),
    env: { ...image.environment, ...environment },
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((settle, reject) => {
    child.once("error", reject);
    child.once("exit", settle);
  });
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(
    ([code, ...said]) => ({ code, said: said.join("") }),
  );
  return { pid: child.pid ?? 0, ended, stop: () => child.kill("SIGTERM") };
};
