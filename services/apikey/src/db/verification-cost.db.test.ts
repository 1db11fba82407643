import type { operations } from "@latchkey/contracts";
import { createDatabase, createPostgresPool } from "@latchkey/service-kit/database";
import type { Call } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyKey } from "../verification/operations.ts";
import { schema, type Tables } from "./tables.ts";
import {
  createApiKeyDatabase,
  createTestDeps,
  newTextId,
  seedKey,
  serviceCaller,
} from "./test-apikey.fixture.ts";

expectNoLeaks("file");

/** A statement that a connection executes. */
interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

const keyCount = 20_000;

let database: TestDatabase;
let db: Kysely<Tables>;
let deps: ReturnType<typeof createTestDeps>;
const sentStatements: Statement[] = [];

beforeAll(async () => {
  database = await createApiKeyDatabase();
  const logger = createLogger({ service: schema, level: "silent" });
  // One connection, because prepared statements belong to a connection.
  const pool = createPostgresPool({ url: database.url, max: 1, logger, applicationName: "test" });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [Statement] | [string, unknown[]?]) => {
      const [first, values = []] = given;
      sentStatements.push(typeof first === "string" ? { text: first, values } : first);
      return query(...given);
    }) as typeof client.query;
  });
  db = createDatabase<Tables>({ pool, schema, preparedStatements: true });
  deps = createTestDeps(db);
  await sql`
    insert into apikey.api_key (id, key, user_id, created_at, updated_at)
    select 'many ' || number, md5(number::text), 'user ' || number, now(), now()
    from generate_series(1, ${keyCount}) as number`.execute(db);
  await sql`analyze apikey.api_key`.execute(db);
});
afterAll(async () => {
  await deps.close();
  await db.destroy();
  await database.drop();
});

/** Verifies a key. Returns the error code and the statements that Postgres received. */
const verify = async (key: string, permissions?: Record<string, string[]>) => {
  sentStatements.length = 0;
  const body = { key, permissions };
  const call = { caller: serviceCaller(), body } as Call<typeof operations.apikey.verifyApiKey>;
  const answer = await verifyKey(deps, call);
  if ("redirect" in answer) throw new Error("unexpected redirect");
  return { code: answer.reply.error?.code, statements: [...sentStatements] };
};

const banned = newTextId();
beforeAll(async () => {
  await db
    .insertInto("owner")
    .values({ userId: banned, revision: 1, banned: true, bannedUntil: null, departedAt: null })
    .execute();
});

const now = new Date();
test.each([
  ["good", { remaining: 5 }, undefined],
  ["disabled", { enabled: false }, "KEY_DISABLED"],
  ["owned by a banned user", { userId: banned }, "USER_IS_BANNED"],
  [
    "used up until it is refilled",
    { remaining: 0, refillAmount: 1, refillInterval: 1 },
    "USAGE_EXCEEDED",
  ],
  [
    "used too often",
    {
      rateLimitEnabled: true,
      rateLimitMax: 1,
      rateLimitTimeWindow: 60_000,
      requestCount: 1,
      lastRequest: now,
    },
    "RATE_LIMITED",
  ],
])("verifies a key that is %s with one statement", async (_kind, given, code) => {
  const { key } = await seedKey(db, given);
  const verdict = await verify(key);
  expect([verdict.code, verdict.statements.length]).toEqual([code, 1]);
});

test("verifies a key without the permission, and an unknown key, with one statement", async () => {
  const { key } = await seedKey(db);
  const outcomes = [await verify(key, { files: ["read"] }), await verify("a".repeat(64))];
  expect(outcomes.map(({ code }) => code)).toEqual(["KEY_NOT_FOUND", "INVALID_API_KEY"]);
  expect(outcomes.map(({ statements }) => statements.length)).toEqual([1, 1]);
});

test.each(["", "short", "a".repeat(63), `${"a".repeat(64)}\0`, "a".repeat(1_025)])(
  "verifies malformed text without a statement: %j",
  async (text) => {
    expect(await verify(text)).toEqual({ code: "KEY_NOT_FOUND", statements: [] });
  },
);

/** Formats a value within a statement. Array literals have braces instead of JSON's brackets. */
const literal = (value: unknown): string => {
  const json = JSON.stringify(value).replaceAll("'", "''");
  return Array.isArray(value) ? `'{${json.slice(1, -1)}}'` : `'${json}'`;
};

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Returns how a prepared statement finds keys: by which indexes, or by a sequential scan. */
const waysToKeys = async ({ name = "", values }: Statement): Promise<Set<string>> => {
  const literals = values.map(literal).join(", ");
  const explain = sql.raw<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (format json) execute ${name} (${literals})`,
  );
  const [row] = (await explain.execute(db)).rows;
  if (!row) throw new Error("no plan");
  const nodes = nodesOf(row["QUERY PLAN"][0].Plan);
  const indexes = nodes.map((node) => node["Index Name"] ?? "");
  const scans = nodes.filter((node) => node["Relation Name"] === "api_key");
  const full = scans.map((node) => node["Node Type"]).filter((type) => type === "Seq Scan");
  return new Set([...indexes.filter((index) => index.startsWith("api_key")), ...full]);
};

/** After a few executions Postgres may switch a prepared statement to a generic plan that differs from the first plans. */
test("finds one of many keys by the index of its stored form, also after many executions", async () => {
  const { key } = await seedKey(db);
  let last: Statement | undefined;
  for (let times = 0; times < 8; times += 1) [last] = (await verify(key)).statements;
  if (!last) throw new Error("nothing was asked");
  for (const mode of ["auto", "force_custom_plan", "force_generic_plan"]) {
    await sql`select set_config('plan_cache_mode', ${mode}, false)`.execute(db);
    expect([mode, ...(await waysToKeys(last))]).toEqual([mode, "api_key_key_key"]);
  }
});
