import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";

/** A shell that runs the blocks of a document one after the other, as a reader does. */
export interface DocumentShell {
  /** Resolves with the block's output. Rejects with it when a command fails. */
  run(script: string): Promise<string>;
  stop(): Promise<void>;
}

const runMilliseconds = 450_000;

/**
 * Starts the shell that the language of the blocks names, so that a page which needs another one fails. It inherits nothing from this
 * process but `environment`.
 */
export const startDocumentShell = (
  folder: string,
  environment: Readonly<Record<string, string>>,
): DocumentShell => {
  const child = spawn("sh", ["-eu"], {
    cwd: folder,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let written = "";
  let notice = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
      notice();
    });
  child.stdin.on("error", () => {}); // the shell exits when a command fails
  // Debian's shell does not have it yet.
  child.stdin.write("if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi\n");

  const waitFor = (mark: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}\n${written}`));
      const timer = setTimeout(() => fail("It takes too long"), runMilliseconds);
      notice = () => {
        const end = written.indexOf(mark);
        if (end < 0) return;
        clearTimeout(timer);
        resolve(written.slice(0, end));
      };
      closed.then(([code]) => {
        clearTimeout(timer);
        fail(`It ended with ${code}`);
      }, reject);
    });

  return {
    run: (script) => {
      const mark = `-- ${randomBytes(8).toString("hex")} --`;
      written = "";
      const done = waitFor(mark);
      // Without this, commands that read stdin would consume the next block.
      child.stdin.write(
        `{\nset -x\n${script}\n{ set +x; } 2>/dev/null\n} </dev/null\necho '${mark}'\n`,
      );
      return done;
    },
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
};
