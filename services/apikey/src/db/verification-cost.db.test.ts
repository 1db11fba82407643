import type { operations } from "@latchkey/contracts";
import { type Call, createDatabase, createLogger, createPostgresPool } from "@latchkey/service-kit";
import { expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyKey } from "../verification/verify-key.ts";
import { schema } from "./schema.ts";
import type { Tables } from "./tables.ts";
import {
  createApiKeyDatabase,
  createTestDeps,
  newTextId,
  seedKey,
  serviceCaller,
} from "./test-apikey.fixture.ts";

expectNoLeaks("file");

/** What a connection is asked to run. */
interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

const keyCount = 20_000;

let database: TestDatabase;
let db: Kysely<Tables>;
let deps: ReturnType<typeof createTestDeps>;
const asked: Statement[] = [];

beforeAll(async () => {
  database = await createApiKeyDatabase();
  const logger = createLogger({ service: schema, level: "silent" });
  // One connection, because what is prepared is the connection's own.
  const pool = createPostgresPool({ url: database.url, max: 1, logger, applicationName: "test" });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [Statement] | [string, unknown[]?]) => {
      const [first, values = []] = given;
      asked.push(typeof first === "string" ? { text: first, values } : first);
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
  await deps.identity.close();
  await db.destroy();
  await database.drop();
});

/** What a verification answers, and what Postgres was asked for it. */
const verify = async (key: string, permissions?: Record<string, string[]>) => {
  asked.length = 0;
  const body = { key, permissions };
  const call = { caller: serviceCaller(), body } as Call<typeof operations.apikey.verifyApiKey>;
  const answer = await verifyKey(deps, call);
  if ("redirect" in answer) throw new Error("a verification sends nobody anywhere");
  return { code: answer.reply.error?.code, statements: [...asked] };
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
  ["of somebody who is banned", { userId: banned }, "USER_IS_BANNED"],
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
])("a verification of a key that is %s is one statement", async (_kind, given, code) => {
  const { key } = await seedKey(db, given);
  const verdict = await verify(key);
  expect([verdict.code, verdict.statements.length]).toEqual([code, 1]);
});

test("so is one of a key that does not permit what is asked, and of one that nobody has", async () => {
  const { key } = await seedKey(db);
  const told = [await verify(key, { files: ["read"] }), await verify("a".repeat(64))];
  expect(told.map(({ code }) => code)).toEqual(["KEY_NOT_FOUND", "INVALID_API_KEY"]);
  expect(told.map(({ statements }) => statements.length)).toEqual([1, 1]);
});

test.each(["", "short", "a".repeat(63), `${"a".repeat(64)}\0`, "a".repeat(1_025)])(
  "a text that is no key costs no statement: %j",
  async (text) => {
    expect(await verify(text)).toEqual({ code: "KEY_NOT_FOUND", statements: [] });
  },
);

/** A value within a statement; lists have braces where JSON has brackets. */
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

/** How a prepared statement would find keys: by which indexes, or by looking at all of them. */
const waysToKeys = async ({ name = "", values }: Statement): Promise<Set<string>> => {
  const given = values.map(literal).join(", ");
  const explain = sql.raw<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `explain (format json) execute ${name} (${given})`,
  );
  const [row] = (await explain.execute(db)).rows;
  if (!row) throw new Error("no plan");
  const nodes = nodesOf(row["QUERY PLAN"][0].Plan);
  const indexes = nodes.map((node) => node["Index Name"] ?? "");
  const scans = nodes.filter((node) => node["Relation Name"] === "api_key");
  const full = scans.map((node) => node["Node Type"]).filter((type) => type === "Seq Scan");
  return new Set([...indexes.filter((index) => index.startsWith("api_key")), ...full]);
};

/** A statement that has run a few times may get one plan for all values, which may be another than the first ones. */
test("among many keys one is found by the index of what it is stored as, however often", async () => {
  const { key } = await seedKey(db);
  let last: Statement | undefined;
  for (let times = 0; times < 8; times += 1) [last] = (await verify(key)).statements;
  if (!last) throw new Error("nothing was asked");
  for (const mode of ["auto", "force_custom_plan", "force_generic_plan"]) {
    await sql`select set_config('plan_cache_mode', ${mode}, false)`.execute(db);
    expect([mode, ...(await waysToKeys(last))]).toEqual([mode, "api_key_key_key"]);
  }
});
