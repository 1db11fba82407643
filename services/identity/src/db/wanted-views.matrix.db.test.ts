import { readSettings } from "@latchkey/service-kit/config";
import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, type TestDatabase, testSecret } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIdentityDatabase } from "./test-identity.fixture.ts";
import { identity } from "../service.ts";

expectNoLeaks("file");

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createIdentityDatabase();
  const logger = createLogger({ service: "test", level: "silent" });
  pool = createPostgresPool({ url: database.url, max: 2, logger, applicationName: "test" });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const migrate = (tree: object = {}) =>
  identity.migrate(
    readSettings(
      { secret: [testSecret], databaseUrl: database.url, logger: { disabled: true }, ...tree },
      {},
    ),
  );
const queryRows = async (text: string, ...values: unknown[]) =>
  (await pool.query<Record<string, unknown>>(text, values)).rows;
const views = () =>
  queryRows(`select relname as name, oid::integer as oid from pg_class
       where relnamespace = 'identity'::regnamespace and relkind = 'v' order by relname`);
const viewNames = async () => (await views()).map(({ name }) => name);

const insertPerson = (id: string) =>
  queryRows(
    `insert into identity.users (key, name, email, "isVerified", created_at, updated_at, extra)
     values ($1, 'Ada', $1 || '@example.com', false, now(), now(), '{"age": 36}')`,
    id,
  );
const users = {
  user: {
    modelName: "users",
    fields: { id: "key", emailVerified: "isVerified" },
    additionalFields: {
      age: { type: "number" },
      isStaff: { type: "boolean" },
      bornAt: { type: "date" },
      nickname: { type: "string" },
      size: { type: ["small", "large"] },
      tags: { type: "string[]" },
      scores: { type: "number[]" },
    },
  },
};

describe("a table with the application's own name", () => {
  test("can be read, inserted into, updated and deleted from under that name", async () => {
    await migrate(users);
    await insertPerson("1");
    expect(await queryRows(`select key, "isVerified", age from identity.users`)).toEqual([
      { key: "1", isVerified: false, age: "36" },
    ]);
    await queryRows(
      `update identity.users set "isVerified" = true, extra = extra || '{"age": 37}'`,
    );
    const row = { id: "1", email_verified: true, extra: { age: 37 } };
    expect(await queryRows(`select id, email_verified, extra from identity."user"`)).toEqual([row]);
    await queryRows("delete from identity.users where key = '1'");
    expect(await queryRows(`select 1 from identity."user"`)).toEqual([]);
  });

  test("works for each of the four tables", async () => {
    await migrate({
      ...users,
      session: { modelName: "visits", additionalFields: { device: { type: "string" } } },
      account: { modelName: "ways", fields: { providerId: "provider" } },
      verification: { modelName: "proofs" },
    });
    await insertPerson("1");
    await queryRows(`insert into identity.ways (id, user_id, provider, account_id, created_at, updated_at)
      values ('1', '1', 'credential', '1', now(), now())`);
    await queryRows(`insert into identity.visits (id, token_hash, token_sealed, user_id, expires_at, created_at,
      updated_at, ip_address, user_agent, extra)
      values ('1', '\\x00', '', '1', now(), now(), now(), '', '', '{"device": "phone"}')`);
    await queryRows(`insert into identity.proofs (id, identifier, value, expires_at, created_at, updated_at)
      values ('1', 'i', 'v', now(), now(), now())`);
    expect(await queryRows("select device from identity.visits")).toEqual([{ device: "phone" }]);
    expect(await viewNames()).toEqual(["proofs", "users", "visits", "ways"]);
  });

  test("shows additional fields by their types, read-only", async () => {
    await migrate(users);
    await insertPerson("1");
    const extra = {
      age: 36.5,
      isStaff: true,
      bornAt: "2026-01-02T03:04:05.678Z",
      nickname: "it's",
      size: "large",
      tags: ["a", "b,c"],
      scores: [1, 2.5],
    };
    await queryRows("update identity.users set extra = $1", JSON.stringify(extra));
    const columns = "age, is_staff, born_at, nickname, size, tags, scores";
    expect(await queryRows(`select ${columns} from identity.users`)).toEqual([
      {
        age: "36.5",
        is_staff: true,
        born_at: new Date(extra.bornAt),
        nickname: "it's",
        size: "large",
        tags: ["a", "b,c"],
        scores: [1, 2.5],
      },
    ]);
    await expect(queryRows("update identity.users set age = 40")).rejects.toThrow(/age/);
  });

  test("shows null if a row contains another type than the present options", async () => {
    await migrate(users);
    await insertPerson("1");
    const extra = { age: "old", isStaff: "yes", bornAt: "today", tags: "a", scores: ["1"] };
    await queryRows("update identity.users set extra = $1", JSON.stringify(extra));
    expect(
      await queryRows("select age, is_staff, born_at, nickname, tags, scores from identity.users"),
    ).toEqual([
      { age: null, is_staff: null, born_at: null, nickname: null, tags: null, scores: [] },
    ]);
  });
});

describe("views", () => {
  test("are not created without a name", async () => {
    await migrate({ user: { fields: { id: "key" } } });
    expect(await views()).toEqual([]);
  });

  test("stay while the options do, follow changes, and are dropped with them", async () => {
    await migrate(users);
    const made = await views();
    await migrate(users);
    expect(await views()).toEqual(made);
    await migrate({ user: { modelName: "users" } });
    expect(await queryRows("select id from identity.users")).toEqual([]);
    await migrate({ user: { modelName: "members" } });
    expect(await viewNames()).toEqual(["members"]);
    await migrate();
    expect(await views()).toEqual([]);
  });

  test("of other owners stay unchanged", async () => {
    await queryRows('create view identity.dashboard as select count(*) from identity."user"');
    await migrate(users);
    await migrate();
    expect(await viewNames()).toEqual(["dashboard"]);
  });

  test("are created once by 8 concurrent migrations", async () => {
    const config = {
      ...users,
      user: { ...users.user, additionalFields: { nickname: { type: "string", unique: true } } },
    };
    await Promise.all(Array.from({ length: 8 }, () => migrate(config)));
    expect(await viewNames()).toEqual(["users"]);
    const unique = await queryRows("select 1 from pg_class where relname = 'user_extra_nickname'");
    expect(unique).toHaveLength(1);
  });
});

describe("rejects options that do not fit the database, without any change:", () => {
  test.each([
    [
      "a table's own name",
      { user: { modelName: "user" } },
      ["user.modelName: user is the name of something else in the database"],
    ],
    [
      "another table's name",
      { session: { modelName: "outbox" } },
      ["session.modelName: outbox is the name of something else in the database"],
    ],
    [
      "an index's name",
      { session: { modelName: "session_by_user" } },
      ["session.modelName: session_by_user is the name of something else in the database"],
    ],
    [
      "one name for two tables",
      { user: { modelName: "x" }, account: { modelName: "x" } },
      ["account.modelName: another table has the name x too"],
    ],
    [
      "a field that does not exist",
      { user: { modelName: "x", fields: { nope: "y" } } },
      ["user.fields.nope: there is no such field"],
    ],
    [
      "several at once",
      { user: { modelName: "outbox", fields: { nope: "y" } }, account: { modelName: "audit" } },
      [
        "user.fields.nope: there is no such field",
        "user.modelName: outbox is the name of something else in the database",
        "account.modelName: audit is the name of something else in the database",
      ],
    ],
  ])("%s", async (_, tree, problems) => {
    await migrate({ verification: { modelName: "proofs" } });
    const before = await views();
    await expect(migrate(tree)).rejects.toMatchObject({ name: "ConfigurationError", problems });
    expect(await views()).toEqual(before);
  });
});
