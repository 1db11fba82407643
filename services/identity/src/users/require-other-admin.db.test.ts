import { expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { insertUser } from "./queries.ts";
import { requireOtherAdmin } from "./admin-rights.ts";

expectNoLeaks("file");

let database: TestDatabase;
let db: Kysely<Tables>;
const admin = newUser({ role: "admin" });
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  await insertUser(db, admin);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const lose = (enabled: boolean) => {
  const config = identityConfig({ admin: { enabled } });
  const deps = createTestDeps({ config, db, clock: Date.now });
  return db.transaction().execute((trx) => requireOtherAdmin(deps, trx, { losing: admin.id }));
};

test("rejects the loss of the last admin", () =>
  expect(lose(true)).rejects.toMatchObject({ code: "YOU_CANNOT_REMOVE_THE_LAST_ADMIN" }));

test("allows it if there are no admin features", () =>
  expect(lose(false)).resolves.toBeUndefined());
