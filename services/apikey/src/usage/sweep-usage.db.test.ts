import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { apiKeyConfig, newTextId } from "../db/test-apikey.fixture.ts";
import { addUsage } from "./queries.ts";
import { sweepUsage } from "./operations.ts";
import { noUses, openUsage } from "./test-usage.fixture.ts";

expectNoLeaks("file");

const fixture = await openUsage();

const sweep = (usageRetentionDays: number, now: string) =>
  sweepUsage({
    config: apiKeyConfig({ apiKey: { usageRetentionDays } }),
    db: fixture.db,
    clock: () => Date.parse(now),
  });

test("keeps a day for as many days as the options say", async () => {
  const keyId = newTextId();
  const days = ["2030-01-01", "2030-01-02", "2030-01-03"];
  await addUsage(
    fixture.db,
    days.map((day) => ({
      ...noUses,
      keyId,
      userId: newTextId(),
      organizationId: null,
      day,
      valid: 1,
    })),
  );
  const remainingDays = async () => (await fixture.daysOf(keyId)).map(({ day }) => day);
  await sweep(30, "2030-01-31T23:59:59.999Z");
  expect(await remainingDays()).toEqual(days);
  await sweep(30, "2030-02-01T00:00:00.000Z");
  expect(await remainingDays()).toEqual(days.slice(1));
  await sweep(1, "2030-01-04T00:00:00.000Z");
  expect(await remainingDays()).toEqual(days.slice(2));
});

test("deletes more than a batch at once, also with two replicas", async () => {
  await sql`
    insert into apikey.key_usage (key_id, day, user_id, valid)
    select 'old ' || number, '2020-01-01', 'any', 1 from generate_series(1, 3500) as number`.execute(
    fixture.db,
  );
  await Promise.all(fixture.replicas.map(() => sweep(1, "2030-01-01T00:00:00.000Z")));
  const remaining = fixture.db
    .selectFrom("keyUsage")
    .select("keyId")
    .where("day", "<", "2021-01-01");
  expect(await remaining.execute()).toEqual([]);
});
