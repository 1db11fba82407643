import { createDatabase, createLogger, createPostgresPool, migrate } from "@latchkey/service-kit";
import { createTestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrations } from "../db/migrations.ts";
import type { Tables } from "../db/tables.ts";
import { sweepSessions } from "./sweep-sessions.ts";

const now = Date.parse("2030-01-01T00:00:00.000Z");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Kysely<Tables>;

const open = (url: string): Kysely<Tables> =>
  createDatabase<Tables>({
    pool: createPostgresPool({
      url,
      max: 16,
      logger: createLogger({ service: "test", level: "silent" }),
      applicationName: "latchkey-test",
    }),
    schema: "identity",
    preparedStatements: true,
  });

beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  db = open(database.url);
  await migrate({ db, schema: "identity", migrations });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const sessionOf = (index: number) => ({
  id: `s${index}`,
  tokenHash: Buffer.from(`hash ${index}`),
  tokenSealed: "",
  userId: "u",
  // Every fifth one lives on.
  expiresAt: new Date(index % 5 === 0 ? now : now - 1),
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ipAddress: "",
  userAgent: "",
});

test("sixteen sweeps at once take every expired session once, and none that lives", async () => {
  const at = new Date(0);
  const user = { id: "u", name: "", email: "u@example.com", emailVerified: false, image: null };
  await db
    .insertInto("user")
    .values({ ...user, createdAt: at, updatedAt: at })
    .execute();
  const count = 2_500;
  await db
    .insertInto("session")
    .values(Array.from({ length: count }, (_, index) => sessionOf(index)))
    .execute();
  const swept = await Promise.all(
    Array.from({ length: 16 }, () => sweepSessions({ db, clock: () => now })),
  );
  const rest = await sweepSessions({ db, clock: () => now });
  expect(swept.reduce((sum, part) => sum + part, rest)).toBe((count * 4) / 5);
  expect(await db.selectFrom("session").select("id").execute()).toHaveLength(count / 5);
});
