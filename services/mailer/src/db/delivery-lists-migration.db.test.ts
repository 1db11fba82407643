import { createPostgresPool, createDatabase, migrate } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestDatabase, expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { migrations } from "./migrations.ts";
import { schema, type Tables } from "./tables.ts";

expectNoLeaks("file");

const logger = createLogger({ service: schema, level: "silent" });

test("keeps and counts the mails of an earlier version, and that version keeps working", async () => {
  const database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "", build: async () => {} },
  });
  const pool = createPostgresPool({ url: database.url, max: 2, logger, applicationName: "test" });
  const db = createDatabase<Tables>({ pool, schema, preparedStatements: true });
  const insert = (id: string, state: string, settledAt: string | null) =>
    sql`
      insert into mailer.delivery
        (id, event_id, recipient, subject, content_sealed, state, attempts, created_at, settled_at)
      values (${id}, ${id}, 'Ada@example.com', 'any', 'sealed', ${state}, 1, now(), ${settledAt})`.execute(
      db,
    );
  const [[first, firstTables] = []] = Object.entries(migrations);
  if (!first || !firstTables) throw new Error("there are no migrations");
  await migrate({ db, schema, migrations: { [first]: firstTables } });
  await insert("a", "sent", "2030-01-01T23:59:59Z");
  await insert("b", "sent", "2030-01-01T00:00:00Z");
  await insert("c", "failed", "2030-01-02T00:00:00Z");
  await insert("d", "retrying", null);
  await migrate({ db, schema, migrations });
  await insert("e", "queued", null);
  const days = db
    .selectFrom("deliveryDay")
    .select(sql<string>`day::text`.as("day"))
    .select(["sent", "failed", "captured"])
    .orderBy("deliveryDay.day");
  expect(await days.execute()).toEqual([
    { day: "2030-01-01", sent: 2, failed: 0, captured: 0 },
    { day: "2030-01-02", sent: 0, failed: 1, captured: 0 },
  ]);
  const deliveries = db
    .selectFrom("delivery")
    .select(["id", "event", "attemptsForgiven"])
    .orderBy("id");
  expect(await deliveries.execute()).toEqual(
    ["a", "b", "c", "d", "e"].map((id) => ({ id, event: null, attemptsForgiven: 0 })),
  );
  await db.destroy();
  await database.drop();
});
