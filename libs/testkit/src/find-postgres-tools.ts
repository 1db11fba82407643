import { glob, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { findExecutable } from "./find-executable.ts";

/** Returns the directory of a Postgres installation with its tools: from PATH, otherwise the newest one in Debian's locations. */
export async function findPostgresTools(): Promise<string | undefined> {
  const inPath = await findExecutable("initdb");
  // PATH may contain only a symbolic link, without the tools beside the program.
  if (inPath !== undefined) return dirname(await realpath(inPath));
  const files: string[] = [];
  for await (const file of glob("/usr/lib/postgresql/*/bin/initdb")) files.push(file);
  const versionOf = (file: string) => Number(file.split("/")[4]);
  const [newest] = files.toSorted((a, b) => versionOf(b) - versionOf(a));
  return newest && dirname(newest);
}
