import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { PostgresAccount } from "./account.ts";
import {
  binariesIn,
  completePrograms,
  type PostgresBinaries,
  type PostgresPackage,
} from "./binaries.ts";

// Under root, Postgres runs as an account that cannot enter every folder, such as /root. Data and programs are then stored in a
// folder outside that the account can enter. A link in place of the data directory points there, so that the next start finds
// it.

const run = promisify(execFile);

/** Owned by root. Other accounts may pass through it but not list it. */
export const outsideFolder = "/var/lib/latchkey";
const passable = 0o711;

/** File in the folder outside that holds the path of the link to it. */
const ownerFile = "owner";

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;

/** Runs `test` as that account, so that all kinds of permissions count. */
const may = async (account: PostgresAccount, ...test: string[]): Promise<boolean> => {
  if (account.uid === undefined) return true;
  return run("test", test, { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
};

const makeFolder = async (path: string, mode: number): Promise<void> => {
  await mkdir(path, { recursive: true });
  await chmod(path, mode); // independent of the umask
};

/**
 * Rejects a link that was copied with its folder, because two installations would share one database. A moved folder keeps its
 * database.
 */
const checkOwner = async (link: string, target: string, owner: string): Promise<void> => {
  if (owner === link) return;
  if ((await readlink(owner).catch(() => "")) === target)
    throw new Error(
      `${link} is a copy of ${owner}, and its database belongs to that one. Remove ${link} to begin with an empty database.`,
    );
  await writeFile(join(dirname(target), ownerFile), `${link}\n`, { mode: 0o600 });
};

/** Returns the real path of a data directory, which may not exist yet. Running servers are recognised by this path. */
export const locateData = async (directory: string): Promise<string> => {
  const parent = await realpath(dirname(resolve(directory)));
  const path = join(parent, basename(resolve(directory)));
  if (!(await isLink(path))) return path;
  const target = await readlink(path);
  // A link that an operator created has no owner file next to its target.
  const owner = await readFile(join(dirname(target), ownerFile), "utf8").catch(() => undefined);
  if (owner !== undefined) await checkOwner(path, target, owner.trim());
  if (existsSync(path)) return realpath(path);
  if (owner !== undefined) return target; // the first start was killed before it created a database
  throw new Error(
    `The database of ${path} was stored in ${target}, which no longer exists. Restore it from a backup, or remove ${path} to begin with an empty database.`,
  );
};

/** Returns the first folder on the path that the account cannot enter. */
const closedFolder = async (account: PostgresAccount, path: string): Promise<string> => {
  const above = dirname(path);
  if (above === path || (await may(account, "-x", above))) return path;
  return closedFolder(account, above);
};

/** Returns a data directory that the account can enter: the given one, or one outside with a link in its place. */
export const reachableData = async (
  directory: string,
  account: PostgresAccount,
  outside = outsideFolder,
): Promise<string> => {
  if (await may(account, "-x", dirname(directory))) return directory;
  if (existsSync(directory)) {
    const closed = await closedFolder(account, dirname(directory));
    throw new Error(
      `The account that runs Postgres cannot enter ${closed}, above the database in ${directory}. Run: chmod o+x "${closed}"`,
    );
  }
  await makeFolder(outside, passable);
  const folder = await mkdtemp(join(await realpath(outside), "data-"));
  await chmod(folder, passable);
  await writeFile(join(folder, ownerFile), `${directory}\n`, { mode: 0o600 });
  const target = join(folder, basename(directory));
  try {
    await symlink(target, directory);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return target;
};

const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
};

/** Copies to a temporary name and renames, so that no start finds a partial copy. */
const copyPrograms = async (native: string, target: string): Promise<void> => {
  const fresh = await mkdtemp(`${target}-`);
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
    await openToAll(fresh);
    await rename(fresh, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error; // another start has created it
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
};

/** Returns programs that the account can run: the package's own, or a copy outside, one per version. */
export const reachablePrograms = async (
  { native, version }: PostgresPackage,
  account: PostgresAccount,
  outside = outsideFolder,
): Promise<PostgresBinaries> => {
  await completePrograms(native);
  const packaged = binariesIn(native);
  const sample = join(native, "share", "postgresql", "postgres.bki");
  if ((await may(account, "-x", packaged.postgres)) && (await may(account, "-r", sample)))
    return packaged;
  const target = join(outside, `postgres-${version}`);
  if (!existsSync(target)) {
    await makeFolder(outside, passable);
    await copyPrograms(native, target);
  }
  return binariesIn(target);
};
