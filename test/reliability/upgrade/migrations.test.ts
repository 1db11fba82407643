import { glob } from "node:fs/promises";
import { join } from "node:path";
import type { SchemaMigrations } from "@latchkey/service-kit/database";
import { expect, test } from "vitest";
import { inspectMigrations } from "./lint/inspect-migrations.ts";
import { createEmptyDatabase } from "../../harness/stores.ts";

const root = join(import.meta.dirname, "..", "..", "..");

const services: { schema: string; path: string }[] = [];
for await (const path of glob("services/*/src/db/migrations.ts", { cwd: root }))
  services.push({ schema: path.split("/")[1] ?? "", path: join(root, path) });

const reasonLength = 30;

test.each(services)(
  "a migration of $schema does not block other transactions or break the previous version, unless it states a reason",
  async ({ schema, path }) => {
    const { migrations } = (await import(path)) as { migrations: SchemaMigrations };
    const database = await createEmptyDatabase();
    const hazards = await inspectMigrations({ url: database.url, schema, migrations });
    await database.drop();
    expect(Object.keys(hazards)).toEqual(Object.keys(migrations));
    const excused = Object.keys(migrations).filter((name) => migrations[name]?.unsafe);
    for (const name of excused) {
      // A needless reason would excuse later hazards.
      expect(hazards[name], `${name} needs no reason`).not.toEqual([]);
      expect(migrations[name]?.unsafe?.length).toBeGreaterThan(reasonLength);
    }
    const unexcused = Object.entries(hazards).filter(([name]) => !excused.includes(name));
    expect(Object.fromEntries(unexcused.filter(([, found]) => found.length > 0))).toEqual({});
  },
);
