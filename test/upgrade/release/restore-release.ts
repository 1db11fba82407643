import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "@latchkey/testkit";
import { inject } from "vitest";
import type { Kept } from "../people.ts";
import type { Release } from "./release-code.ts";

const decompress = promisify(brotliDecompress);

/** What is for psql alone, and what older servers do not know. */
const isForeign = (line: string) =>
  line.startsWith("\\") || line.startsWith("SET transaction_timeout");

/** A database as a release left it, without rights of roles. */
export const restoreRelease = async ({ rows }: Release): Promise<TestDatabase> => {
  const database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const text = (await decompress(await readFile(rows))).toString();
  // A connection of its own, since the dump sets it up for itself.
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

/** Who lives in it. */
export const readPeople = async ({ rows }: Release): Promise<Kept> =>
  JSON.parse(await readFile(join(dirname(rows), "people.json"), "utf8")) as Kept;
