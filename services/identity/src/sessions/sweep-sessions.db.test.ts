import type { TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tables } from "../db/tables.ts";
import { connectIdentity, createIdentityDatabase, newUser } from "../db/test-identity.fixture.ts";
import { insertUser } from "../users/queries.ts";
import { sweepSessions } from "./store/postgres-session-store.ts";

const now = Date.parse("2030-01-01T00:00:00.000Z");
let database: TestDatabase;
let db: Kysely<Tables>;

beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url, 16);
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
  // Every fifth session has not expired.
  expiresAt: new Date(index % 5 === 0 ? now : now - 1),
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ipAddress: "",
  userAgent: "",
  extra: "{}",
});

test("deletes every expired session once in sixteen concurrent sweeps, and no live one", async () => {
  const at = new Date(0);
  await insertUser(db, newUser({ id: "u", createdAt: at }));
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
