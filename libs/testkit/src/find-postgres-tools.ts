import { glob, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { findExecutable } from "./find-executable.ts";

/** The folder of a Postgres with its tools: that of PATH, else the newest of where Debian keeps them. */
export async function findPostgresTools(): Promise<string | undefined> {
  const inPath = await findExecutable("initdb");
  // A link may stand there alone, without what is beside the program.
  if (inPath !== undefined) return dirname(await realpath(inPath));
  const found: string[] = [];
  for await (const file of glob("/usr/lib/postgresql/*/bin/initdb")) found.push(file);
  const versionOf = (file: string) => Number(file.split("/")[4]);
  const [newest] = found.toSorted((a, b) => versionOf(b) - versionOf(a));
  return newest && dirname(newest);
}
