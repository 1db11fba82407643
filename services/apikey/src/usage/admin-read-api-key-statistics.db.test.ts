import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { replyOf } from "../admin/test-admin.fixture.ts";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { usageTotalMigration } from "../db/migrations.ts";
import { adminReadApiKeyStatistics } from "./operations.ts";
import { createUsageTally } from "./usage-tally.ts";
import { sweepUsage } from "./operations.ts";
import { openUsage } from "./test-usage.fixture.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.apikey.adminReadApiKeyStatistics>["query"];

const day = "2030-01-02";
const noon = Date.parse(`${day}T12:00:00.000Z`);
const clock = () => noon;

const fixture = await openUsage();
afterEach(async () => {
  await sql`truncate apikey.key_usage, apikey.usage_total, apikey.owner`.execute(fixture.db);
});

const newKey = () => ({ id: newTextId(), userId: newTextId(), organizationId: null });

const read = async (query: Query) => {
  const call = { query } as Call<typeof operations.apikey.adminReadApiKeyStatistics>;
  return (await replyOf(adminReadApiKeyStatistics({ ...fixture.deps, clock }, call))).days;
};
const today = async () => (await read({ from: day, to: day }))[0];

test("sums uses of all keys by day, refusals together, with zeros for days without uses", async () => {
  const tally = createUsageTally({ clock, db: fixture.db });
  const yesterday = createUsageTally({ clock: () => noon - 86_400_000, db: fixture.db });
  const keys = [newKey(), newKey()];
  for (const key of keys) {
    tally.note(key, "valid");
    for (const outcome of [
      "rateLimited",
      "exhausted",
      "expired",
      "disabled",
      "banned",
      "forbidden",
    ] as const)
      tally.note(key, outcome);
    yesterday.note(key, "valid");
  }
  await tally.flush();
  await yesterday.flush();
  tally.note(newKey(), "valid");
  await tally.flush();
  expect(await read({ from: "2029-12-31", to: "2030-01-03" })).toEqual([
    { day: "2029-12-31", valid: 0, refused: 0 },
    { day: "2030-01-01", valid: 2, refused: 0 },
    { day, valid: 3, refused: 12 },
    { day: "2030-01-03", valid: 0, refused: 0 },
  ]);
});

test("returns the last thirty days by default", async () => {
  const days = await read({});
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, "2029-12-04", day]);
});

test.each<Query>([
  { from: "2030-01-02", to: "2030-01-01" },
  { from: "2028-11-27", to: "2030-01-01" },
  { from: "1969-12-31", to: "1970-01-02" },
])("rejects invalid or too many days: %j", async (query) => {
  await expect(read(query)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("returns up to four hundred days", async () => {
  expect(await read({ from: "2028-11-28", to: "2030-01-01" })).toHaveLength(400);
});

describe("replicas that write the same keys and days at once", () => {
  test("do not deadlock, lose nothing and count nothing twice", async () => {
    const keys = Array.from({ length: 300 }, newKey);
    const days = Array.from({ length: 3 }, (_, index) => noon - index * 86_400_000);
    const tallies = fixture.replicas.flatMap((db) =>
      days.map((time) => createUsageTally({ clock: () => time, db })),
    );
    const rounds = 8;
    await Promise.all(
      tallies.map(async (tally, index) => {
        for (let round = 0; round < rounds; round += 1) {
          const inOrder = (index + round) % 2 === 0 ? keys : keys.toReversed();
          for (const key of inOrder) tally.note(key, round % 2 === 0 ? "valid" : "expired");
          await tally.flush();
        }
      }),
    );
    const half = (rounds / 2) * keys.length * fixture.replicas.length;
    for (const counts of await read({ from: "2029-12-31", to: day }))
      expect(counts).toMatchObject({ valid: half, refused: half });
  });
});

test("add a failed write to no total, and once when it succeeds", async () => {
  const tally = createUsageTally({ clock, db: fixture.db });
  tally.note(newKey(), "valid");
  const check = sql.raw(`refused_${newTextId().toLowerCase()}`);
  await sql`alter table apikey.usage_total add constraint ${check} check (valid < 0) not valid`.execute(
    fixture.db,
  );
  await expect(tally.flush()).rejects.toThrow("violates check constraint");
  expect(await fixture.db.selectFrom("keyUsage").select("keyId").execute()).toEqual([]);
  await sql`alter table apikey.usage_total drop constraint ${check}`.execute(fixture.db);
  await tally.flush();
  await tally.flush();
  expect(await today()).toMatchObject({ valid: 1, refused: 0 });
});

test("keep totals when the counts of keys and of departed users are deleted", async () => {
  const tally = createUsageTally({ clock, db: fixture.db });
  const key = newKey();
  tally.note(key, "valid");
  await tally.flush();
  const usageRetentionDays = 1;
  const config = { apiKey: { usageRetentionDays } } as Parameters<typeof sweepUsage>[0]["config"];
  await sweepUsage({ config, db: fixture.db, clock: () => noon + 3 * 86_400_000 });
  expect(await fixture.daysOf(key.id)).toEqual([]);
  expect(await today()).toMatchObject({ valid: 1 });
  await fixture.db
    .insertInto("owner")
    .values({
      userId: key.userId,
      revision: 1,
      banned: false,
      bannedUntil: null,
      departedAt: new Date(noon),
    })
    .execute();
  tally.note(key, "disabled");
  await tally.flush();
  expect(await fixture.daysOf(key.id)).toEqual([]);
  expect(await today()).toMatchObject({ valid: 1, refused: 1 });
});

test("include counts from before there were totals", async () => {
  const tally = createUsageTally({ clock, db: fixture.db });
  for (const outcome of ["valid", "valid", "exhausted"] as const) tally.note(newKey(), outcome);
  await tally.flush();
  await sql`drop table apikey.usage_total`.execute(fixture.db);
  await usageTotalMigration.up(fixture.db.withSchema("apikey"));
  expect(await today()).toMatchObject({ valid: 2, refused: 1 });
});
