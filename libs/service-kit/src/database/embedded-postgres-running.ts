import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { findProcess, isPostgresOn } from "./embedded-postgres-orphan.ts";
import { embeddedPostgresPassword } from "./embedded-postgres-password.ts";
import { embeddedPostgresUrl } from "./embedded-postgres-url.ts";

/**
 * The address of the server that runs on `directory`, whoever started it, with the superuser's password; undefined when
 * none runs. Changes nothing.
 */
export async function findEmbeddedPostgres(directory: string): Promise<string | undefined> {
  if (!existsSync(directory)) return undefined;
  const path = await realpath(directory);
  const lock = await readFile(join(path, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = lock.split("\n"); // the order of these lines is part of Postgres' own tools
  const found = pid ? await findProcess(Number(pid)) : undefined;
  if (!found || !isPostgresOn(path, found.command)) return undefined;
  return embeddedPostgresUrl(await embeddedPostgresPassword(path, true), Number(port));
}
