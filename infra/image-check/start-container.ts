import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { placeIn, type Replayed } from "./replay-image.ts";

/** A process that runs a command of an image with its account. */
export interface Container {
  pid: number;
  /** The exit code and the output. */
  ended: Promise<{ code: number | null; said: string }>;
  /** Sends SIGTERM. */
  stop(): void;
}

const commandOf = (image: Replayed, command: readonly string[]): string[] =>
  command.map((word) => (word.startsWith("/") ? placeIn(image.root, word) : word));

/** Runs a command in an image that was built in a folder. Needs root, which switches to the image's account. */
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
