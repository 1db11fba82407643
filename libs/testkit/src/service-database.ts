import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { inject } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export interface ServiceDatabaseOptions {
  /** The URL of the service's database. */
  name: string;
  /** The directory of its migrations. */
  folder: string;
  /** Migrates an empty database, and closes its connections before it resolves. */
  migrate: (url: string) => Promise<void>;
}

/** Changes with the migrations that create a service's tables: its own ones and those of the kit. */
const hashMigrations = async (folder: string): Promise<string> => {
  const hash = createHash("sha256");
  const kit = new URL("..", import.meta.resolve("@latchkey/service-kit/config")).pathname;
  for (const cwd of [folder, kit])
    for await (const file of glob(["**/*migration*.ts", "**/kit-tables.ts"], { cwd }))
      hash.update(await readFile(`${cwd}/${file}`));
  return hash.digest("hex").slice(0, 16);
};

/** By folder. Sources do not change during a run. */
const hashes = new Map<string, Promise<string>>();

const migrationHash = (folder: string): Promise<string> => {
  const hash = hashes.get(folder) ?? hashMigrations(folder);
  hashes.set(folder, hash);
  return hash;
};

/** Creates a database for a test file, with the tables of one service. */
export const createServiceDatabase = async ({
  name,
  folder,
  migrate: build,
}: ServiceDatabaseOptions): Promise<TestDatabase> =>
  createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name, hash: await migrationHash(folder), build },
  });
