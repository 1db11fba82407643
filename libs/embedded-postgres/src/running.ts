import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProcess, isPostgresOn } from "./orphan.ts";
import { embeddedPostgresPassword, embeddedPostgresUrl } from "./password.ts";
import { locateData } from "./reach.ts";

/** A running server: its address with the superuser's password, and its data directory. */
export type FoundPostgres = { url: string; directory: string };

/** Finds the server on `directory`, even if another process started it. */
export async function findEmbeddedPostgres(directory: string): Promise<FoundPostgres | undefined> {
  if (!existsSync(directory)) return undefined;
  const path = await locateData(directory);
  const lock = await readFile(join(path, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = lock.split("\n"); // Postgres's own tools rely on the order of these lines
  const server = pid ? await findProcess(Number(pid)) : undefined;
  if (!server || !isPostgresOn(path, server.command)) return undefined;
  const password = await embeddedPostgresPassword(path, true);
  return { url: embeddedPostgresUrl(password, Number(port)), directory: path };
}
