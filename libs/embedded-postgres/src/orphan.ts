import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const fastShutdownMs = 8_000;
const immediateShutdownMs = 4_000;

/** A setting without effect on the server. It shows in the command line which process started the server. */
export const ownerSetting = "latchkey.owner_pid";

/**
 * Stops the server that a killed process left on `directory`, so that a new one can start.
 * A server is an orphan if its parent is no longer the process that started it. This comparison is safer than checking whether
 * the owner's pid is alive, because containers reuse pids soon. Throws if the owner is alive.
 */
export async function stopOrphanedPostgres(directory: string): Promise<void> {
  const lockFile = join(directory, "postmaster.pid");
  const pid = Number((await readFile(lockFile, "utf8").catch(() => "")).split("\n", 1)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const server = await findProcess(pid);
  if (server === undefined) return;
  if (!isPostgresOn(directory, server.command)) {
    // The pid now belongs to another process. Postgres trusts any live pid in this file and would refuse to start.
    await rm(lockFile, { force: true });
    return;
  }
  if (server.command.includes(`${ownerSetting}=${server.parent} `)) {
    throw new Error(
      `The database in ${directory} is in use by process ${server.parent}. Stop that process, choose another directory, or set DATABASE_URL.`,
    );
  }
  for (const [signal, waitMs] of [
    ["SIGINT", fastShutdownMs],
    ["SIGQUIT", immediateShutdownMs],
  ] as const) {
    if (await endProcess(pid, directory, { signal, waitMs })) return;
  }
  throw new Error(
    `Postgres (process ${pid}) still holds ${directory} and does not stop. End it by hand and start again.`,
  );
}

/** Returns whether a command line belongs to a server on this directory. */
export function isPostgresOn(directory: string, command: string): boolean {
  return /(^|\/)postgres /.test(command) && command.includes(` -D ${directory} `);
}

async function endProcess(
  pid: number,
  directory: string,
  { signal, waitMs }: { signal: NodeJS.Signals; waitMs: number },
): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return true;
    throw new Error(
      `Postgres (process ${pid}) still holds ${directory} and may not be stopped by this user. End it by hand and start again.`,
      { cause: error },
    );
  }
  const giveUpAt = performance.now() + waitMs;
  while (performance.now() < giveUpAt) {
    const server = await findProcess(pid);
    if (server === undefined || !isPostgresOn(directory, server.command)) return true;
    await delay(20);
  }
  return false;
}

/** Returns a running process. Each word of its command line ends with a space. The command line of a zombie is empty. */
export async function findProcess(
  pid: number,
): Promise<{ parent: number; command: string } | undefined> {
  try {
    if (process.platform !== "linux") {
      const { stdout } = await run("ps", ["-ww", "-o", "ppid=,command=", "-p", String(pid)]);
      const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
      return { parent: Number(parent), command: `${command} ` };
    }
    // Both files are world-readable. `cwd` and `exe` are closed even to root in a container.
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return { parent, command: command.replaceAll("\0", " ") };
  } catch {
    return undefined;
  }
}
