import { createLogger } from "@latchkey/service-kit/observe";
import { keepWriting } from "@latchkey/service-kit/statistics";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { noUses, openUsage } from "./test-usage.fixture.ts";
import { createUsageTally } from "./usage-tally.ts";

expectNoLeaks("file");

const fixture = await openUsage();
afterEach(() => {
  vi.unstubAllEnvs();
});

const noon = Date.parse("2030-01-02T12:00:00.000Z");
const day = "2030-01-02";

const newKey = () => ({ id: newTextId(), userId: newTextId(), organizationId: null });

const createTally = (clock: () => number = () => noon, db = fixture.db) =>
  createUsageTally({ clock, db });

/** Makes writes for some keys fail until the returned function is called. */
const refuse = async (condition: string) => {
  const name = sql.raw(`refused_${newTextId().toLowerCase()}`);
  const table = sql.raw("apikey.key_usage");
  await sql`alter table ${table} add constraint ${name} check (not ${sql.raw(condition)}) not valid`.execute(
    fixture.db,
  );
  return async () => {
    await sql`alter table ${table} drop constraint ${name}`.execute(fixture.db);
  };
};

test.each([
  ["valid", "valid"],
  ["rateLimited", "rateLimited"],
  ["exhausted", "exhausted"],
  ["expired", "expired"],
  ["disabled", "disabled"],
  ["banned", "disabled"],
  ["forbidden", "forbidden"],
] as const)("counts a use that is %s as %s", async (outcome, counted) => {
  const tally = createTally();
  const key = newKey();
  tally.note(key, outcome);
  tally.note(key, outcome);
  await tally.flush();
  expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, [counted]: 2 }]);
  tally.note(key, outcome);
  await tally.flush();
  expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, [counted]: 3 }]);
});

describe.each(["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])("in the time zone %s", (zone) => {
  test("changes the day at midnight UTC, and back if the clock is set back", async () => {
    vi.stubEnv("TZ", zone);
    let now = Date.parse("2030-01-02T23:59:59.999Z");
    const tally = createTally(() => now);
    const key = newKey();
    tally.note(key, "valid");
    now += 1;
    tally.note(key, "valid");
    tally.note(key, "expired");
    now += 86_399_999;
    tally.note(key, "valid");
    now += 1;
    tally.note(key, "valid");
    now -= 86_400_001;
    tally.note(key, "valid");
    await tally.flush();
    expect(await fixture.daysOf(key.id)).toEqual([
      { ...noUses, day: "2030-01-02", valid: 2 },
      { ...noUses, day: "2030-01-03", valid: 2, expired: 1 },
      { ...noUses, day: "2030-01-04", valid: 1 },
    ]);
  });
});

describe("a failed write", () => {
  test("that writes nothing loses nothing, and the next write contains it once", async () => {
    const tally = createTally();
    const key = newKey();
    tally.note(key, "valid");
    const allow = await refuse(`key_id = '${key.id}'`);
    const failed = expect(tally.flush()).rejects.toThrow("violates check constraint");
    tally.note(key, "valid");
    await failed;
    await expect(tally.flush()).rejects.toThrow("violates check constraint");
    tally.note(key, "forbidden");
    await allow();
    await tally.flush();
    await tally.flush();
    expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, valid: 2, forbidden: 1 }]);
  });

  test("among many keeps the completed ones, and the rest are written later", async () => {
    const tally = createTally();
    const keys = Array.from({ length: 3_500 }, newKey);
    for (const key of keys) tally.note(key, "valid");
    const allow = await refuse(`key_id = '${keys[1_700]?.id}'`);
    await expect(tally.flush()).rejects.toThrow("violates check constraint");
    const written = async () => {
      const { count, most } = await fixture.db
        .selectFrom("keyUsage")
        .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("valid").as("most")])
        .where(
          "keyId",
          "in",
          keys.map(({ id }) => id),
        )
        .executeTakeFirstOrThrow();
      return { count, most };
    };
    expect(await written()).toEqual({ count: 1_000, most: 1 });
    await allow();
    await tally.flush();
    expect(await written()).toEqual({ count: 3_500, most: 1 });
  });
});

test("counts once for sixteen concurrent flushes", async () => {
  const tally = createTally();
  const keys = Array.from({ length: 50 }, newKey);
  for (const key of keys) for (let count = 0; count < 3; count += 1) tally.note(key, "valid");
  await Promise.all(Array.from({ length: 16 }, () => tally.flush()));
  for (const { id } of keys)
    expect(await fixture.daysOf(id)).toEqual([{ ...noUses, day, valid: 3 }]);
});

test("adds up concurrent counts of the same keys by two replicas", async () => {
  const keys = Array.from({ length: 200 }, newKey);
  const rounds = 16;
  const run = async (db: (typeof fixture.replicas)[number], order: typeof keys) => {
    const tally = createTally(undefined, db);
    const flushes = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const key of order) {
        tally.note(key, "valid");
        tally.note(key, "rateLimited");
      }
      flushes.push(tally.flush());
    }
    await Promise.all(flushes);
  };
  // Opposite orders of the keys would deadlock without a common write order.
  await Promise.all([run(fixture.replicas[0], keys), run(fixture.replicas[1], keys.toReversed())]);
  const expected = { ...noUses, day, valid: 2 * rounds, rateLimited: 2 * rounds };
  for (const { id } of keys) expect(await fixture.daysOf(id)).toEqual([expected]);
});

test("writes counts that arrive during a write with the next one", async () => {
  const tally = createTally();
  const key = newKey();
  tally.note(key, "valid");
  const writing = tally.flush();
  tally.note(key, "valid");
  await writing;
  expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, valid: 1 }]);
  await tally.flush();
  expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, valid: 2 }]);
});

test("writes the remaining counts when the service stops", async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  const usage = createTally();
  const writing = keepWriting(usage, logger);
  const key = newKey();
  usage.note(key, "valid");
  await writing.stop();
  expect(await fixture.daysOf(key.id)).toEqual([{ ...noUses, day, valid: 1 }]);
});
