import { createPostgresPool, migrate } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestDatabase, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";
import { connectIdentity } from "./test-identity.fixture.ts";

expectNoLeaks("file");

let database: TestDatabase;
let serving: ReturnType<typeof createPostgresPool>;
beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  serving = createPostgresPool({
    url: database.url,
    max: 1,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "latchkey-test",
  });
});
afterAll(async () => {
  await serving.end();
  await database.drop();
});

const migrateTo = async (names: readonly string[]): Promise<string[]> => {
  const chosen = Object.fromEntries(names.map((name) => [name, migrations[name]!])); // the names are its keys
  const db = connectIdentity(database.url, 1);
  try {
    return await migrate({ db, schema, migrations: chosen });
  } finally {
    await db.destroy();
  }
};

/** The prepared statements of the first version, on connections that stay open. They name their columns. */
const statements = {
  signUp: `insert into identity."user" (id, name, email, email_verified, image, created_at, updated_at)
    values ($1::text, 'Ada', $1::text || '@example.com', false, null, now(), now()) on conflict (email) do nothing
    returning id, name, email, email_verified, image, created_at, updated_at, revision`,
  startSession: `insert into identity.session (id, token_hash, token_sealed, user_id, expires_at, created_at,
    updated_at, ip_address, user_agent) values ($1::text, sha256($1::text::bytea), '', $1::text, now() + interval '1 day', now(),
    now(), '', '')`,
  signIn: `select u.id, u.name, u.email, u.email_verified, u.image, u.created_at, u.updated_at, u.revision,
    a.password from identity."user" u left join identity.account a on a.user_id = u.id
    where u.email = $1::text || '@example.com'`,
  getSession: `select s.id, s.token_hash, s.expires_at, u.id as user_id, u.name, u.email, u.email_verified, u.image,
    u.created_at, u.updated_at, u.revision from identity.session s join identity."user" u on u.id = s.user_id
    where s.token_hash = sha256($1::text::bytea) and s.revoked_at is null`,
  change: `update identity."user" set name = 'Ada L.', revision = revision + 1 where id = $1::text
    returning id, name, email, email_verified, image, created_at, updated_at, revision`,
};

const serve = async (id: string): Promise<(number | null)[]> => {
  const counts = [];
  for (const [name, text] of Object.entries(statements))
    counts.push((await serving.query({ name, text, values: [id] })).rowCount);
  return counts;
};

test("lets the first version serve on open connections while each later migration is applied", async () => {
  const names = Object.keys(migrations);
  for (let count = 1; count <= names.length; count += 1) {
    expect(await migrateTo(names.slice(0, count))).toEqual([names[count - 1]]);
    // Enough rounds for Postgres to cache a generic plan for each statement.
    for (let round = 0; round < 8; round += 1)
      expect(await serve(`person-${count}-${round}`)).toEqual([1, 1, 1, 1, 1]);
  }
});

test("applying all migrations again changes nothing", async () => {
  expect(await migrateTo(Object.keys(migrations))).toEqual([]);
});
