import { createRowIds } from "@latchkey/service-kit/database";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openIdentityDatabase, identityConfig } from "./test-identity.fixture.ts";
import { schema } from "./schema.ts";
import type { Deps } from "../deps.ts";

expectNoLeaks("file");

const { db, connect } = await openIdentityDatabase(4);

const newIdsBy = (options: object, connection = db): Deps["newId"] =>
  createRowIds(identityConfig({ advanced: { database: options } }).database, {
    db: connection,
    schema,
  });
const numbers = (connection = db) => newIdsBy({ useNumberId: true }, connection);

const take = async (
  newId: ReturnType<typeof numbers>,
  model: Parameters<Deps["newId"]>[0],
  count: number,
) => {
  const ids: string[] = [];
  for (let takenCount = 0; takenCount < count; takenCount += 1) ids.push(await newId(model));
  return ids;
};

test("counts numeric ids up as text from 1, for each table separately", async () => {
  const newId = numbers();
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  expect(await take(newId, "user", 45)).toEqual(upTo(45));
  expect(await take(newId, "session", 2)).toEqual(upTo(2));
  expect(await take(newId, "account", 2)).toEqual(upTo(2));
  expect(await take(newId, "verification", 2)).toEqual(upTo(2));
});

test("returns no number twice to 16 concurrent callers in each of three processes", async () => {
  const others = [connect(2), connect(2)];
  const processes = [db, ...others].map((connection) => numbers(connection));
  const batches = await Promise.all(
    processes.flatMap((newId) => Array.from({ length: 16 }, () => take(newId, "session", 5))),
  );
  const ids = batches.flat();
  expect(ids).toHaveLength(240);
  expect(new Set(ids).size).toBe(240);
  expect(ids.filter((id) => !/^[1-9]\d*$/.test(id))).toEqual([]);
  // Each caller receives ascending numbers.
  for (const own of batches)
    expect(own.map(Number).toSorted((a, b) => a - b)).toEqual(own.map(Number));
});

test("fetches ids again for the next caller after a failure", async () => {
  const newId = numbers();
  const rename = (from: string, to: string) =>
    sql`alter sequence identity.${sql.raw(from)} rename to ${sql.raw(to)}`.execute(db);
  await rename("account_number", "away");
  const failed = await Promise.allSettled([newId("account"), newId("account")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await rename("away", "account_number");
  expect(await newId("account")).toMatch(/^\d+$/);
});

test("uses the application's generator or 32 random letters and digits if numbers are off", async () => {
  const inputs: unknown[] = [];
  const generateId = (input: unknown) => `made-${inputs.push(input)}`;
  expect(await newIdsBy({ generateId })("account")).toBe("made-1");
  expect(inputs).toEqual([{ model: "account", size: 32 }]);
  for (const options of [{}, { generateId: false }])
    expect(await newIdsBy(options)("user")).toMatch(/^[A-Za-z0-9]{32}$/);
});
