import { serviceNames } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import pg from "pg";
import { expect, test } from "vitest";
import { migrateAll } from "../../../apps/cli/src/installation/migrate-all.ts";
import { databaseEnvironment } from "../../harness/database-environment.ts";
import { createMigratedDatabase, testSecret } from "../../harness/stores.ts";
import { readShape, type Shape } from "./read-shape.ts";
import { findRelease } from "./release/release-code.ts";
import { restoreRelease } from "./release/restore-release.ts";

const shapeOf = async (url: string): Promise<Shape> => {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await readShape(pool, ["bus", ...serviceNames]);
  } finally {
    await pool.end();
  }
};

/** Removes parentheses, because a restored dump nests some conditions differently with the same effect. */
const plain = (shape: Shape) =>
  Object.fromEntries(
    [...shape]
      .toSorted()
      .map(([thing, text]) => [
        thing,
        thing.startsWith("constraint ") ? text.replaceAll(/[()]/g, "") : text,
      ]),
  );

test("a migrated database of the previous release has the same shape and privileges as a new one", async () => {
  const [migrated, fresh] = [
    await restoreRelease(await findRelease()),
    await createMigratedDatabase(),
  ];
  await migrateAll(readSettings({ secret: [testSecret] }, databaseEnvironment(migrated.url)));
  const [actual, wanted] = [await shapeOf(migrated.url), await shapeOf(fresh.url)];
  await Promise.all([migrated.drop(), fresh.drop()]);
  expect(wanted.size).toBeGreaterThan(500);
  // The order of columns depends on when they were added, and nothing relies on it.
  expect(plain(actual)).toEqual(plain(wanted));
});
