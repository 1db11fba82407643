import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProcess, isPostgresOn } from "./embedded-postgres-orphan.ts";
import { embeddedPostgresPassword } from "./embedded-postgres-password.ts";
import { locateData } from "./embedded-postgres-reach.ts";
import { embeddedPostgresUrl } from "./embedded-postgres-url.ts";

/** A running server: its address with the superuser's password, and its data directory. */
export type FoundPostgres = { url: string; directory: string };

/** Finds the server on `directory`, even if another process started it. */
export async function findEmbeddedPostgres(directory: string): Promise<FoundPostgres | undefined> {
  if (!existsSync(directory)) return undefined;
  const path = await locateData(directory);
  const lock = await readFile(join(path, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = lock.split("\n"); // Postgres's own tools rely on the order of these lines
  const found = pid ? await findProcess(Number(pid)) : undefined;
  if (!found || !isPostgresOn(path, found.command)) return undefined;
  const password = await embeddedPostgresPassword(path, true);
  return { url: embeddedPostgresUrl(password, Number(port)), directory: path };
}
