import { createPostgresPool } from "@latchkey/service-kit/database";
import { areFieldsSynced, fieldIndexName, syncFields } from "@latchkey/service-kit/fields";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  identityConfig,
  newUser,
} from "./test-identity.fixture.ts";
import type { Tables } from "./tables.ts";
import { insertUser } from "../users/queries.ts";
import { fieldTables } from "./wanted-views.ts";

expectNoLeaks("file");

let database: TestDatabase;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url, 2);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

type Type = "string" | "number" | "date";
const uniqueFields = (fields: Record<string, Type>) =>
  fieldTables(
    identityConfig({
      user: {
        additionalFields: Object.fromEntries(
          Object.entries(fields).map(([name, type]) => [name, { type, unique: true }]),
        ),
      },
    }),
  );

const none = fieldTables(identityConfig());

const add = (extra: Record<string, unknown>) => insertUser(db, newUser({ extra }));

const indexes = async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({ url: database.url, max: 1, logger, applicationName: "test" });
  const { rows } = await pool.query<{ name: string; oid: number }>(
    `select relname as name, oid::integer as oid from pg_class
     where relname like 'user\\_extra\\_%' order by relname`,
  );
  await pool.end();
  return rows;
};

describe("a unique field", () => {
  test("can be taken once, for every type", async () => {
    await syncFields(db, uniqueFields({ nickname: "string", badge: "number", born: "date" }));
    await add({ nickname: "ada", badge: 1, born: "2026-01-01T00:00:00.000Z" });
    const uniqueViolation = { code: "23505" };
    await expect(add({ nickname: "ada" })).rejects.toMatchObject(uniqueViolation);
    await expect(add({ badge: 1 })).rejects.toMatchObject(uniqueViolation);
    await expect(add({ born: "2026-01-01T00:00:00.000Z" })).rejects.toMatchObject(uniqueViolation);
    await add({ nickname: "Ada", badge: 10 });
  });

  test("can be missing or null in any number of rows", async () => {
    await syncFields(db, uniqueFields({ nickname: "string" }));
    await add({});
    await add({});
    await add({ nickname: null });
    await add({ nickname: null });
  });

  test("has a distinct index, however long its name", async () => {
    const [one, other] = [`${"a".repeat(62)}b`, `${"a".repeat(62)}c`];
    await syncFields(db, uniqueFields({ [one]: "string", [other]: "string" }));
    const names = (await indexes()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      [one, other].map((field) => fieldIndexName("user", field)).toSorted(),
    );
    await add({ [one]: "x", [other]: "x" });
    await expect(add({ [other]: "x" })).rejects.toMatchObject({ code: "23505" });
  });

  test("keeps its index while the options stay, and loses it with them", async () => {
    await syncFields(db, uniqueFields({ nickname: "string", badge: "number" }));
    const made = await indexes();
    await syncFields(db, uniqueFields({ nickname: "string" }));
    expect(await indexes()).toEqual(made.filter(({ name }) => name === "user_extra_nickname"));
    await syncFields(db, none);
    expect(await indexes()).toEqual([]);
    await add({ nickname: "ada" });
    await add({ nickname: "ada" });
  });

  test("with duplicate values is reported without a value, and nothing is changed", async () => {
    await syncFields(db, uniqueFields({ badge: "number" }));
    const before = await indexes();
    await add({ nickname: "secret" });
    await add({ nickname: "secret" });
    const refused = syncFields(db, uniqueFields({ other: "string", nickname: "string" }));
    await expect(refused).rejects.toMatchObject({
      problems: [
        "user.additionalFields.nickname.unique: several users have the same value already",
      ],
    });
    expect(await indexes()).toEqual(before);
  });

  test("is in step with the options until one is added, replaced or removed", async () => {
    const badge = uniqueFields({ badge: "number" });
    expect([await areFieldsSynced(db, none), await areFieldsSynced(db, badge)]).toEqual([
      true,
      false,
    ]);
    await syncFields(db, badge);
    const others = [none, uniqueFields({ nickname: "string" }), badge];
    expect(await Promise.all(others.map((tables) => areFieldsSynced(db, tables)))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
