import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import pg from "pg";
import { type TestDatabase } from "@latchkey/testkit";
import type { Kept } from "../users.ts";
import type { Release } from "./release-code.ts";
import { createEmptyDatabase } from "../../../harness/stores.ts";

const decompress = promisify(brotliDecompress);

/** Skips commands of psql, and settings that older servers do not know. */
const isForeign = (line: string) =>
  line.startsWith("\\") || line.startsWith("SET transaction_timeout");

/** Restores the database that a release left, without the privileges of roles. */
export const restoreRelease = async ({ rows }: Release): Promise<TestDatabase> => {
  const database = await createEmptyDatabase();
  const text = (await decompress(await readFile(rows))).toString();
  // Uses a separate connection, because the dump changes settings of its session.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(
      text
        .split("\n")
        .filter((line) => !isForeign(line))
        .join("\n"),
    );
  } finally {
    await client.end();
  }
  return database;
};

/** Reads the user that was saved with the release. */
export const readUsers = async ({ rows }: Release): Promise<Kept> =>
  JSON.parse(await readFile(join(dirname(rows), "people.json"), "utf8")) as Kept;
