import type { Caller } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tables } from "../db/tables.ts";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { createSession } from "../sessions/create-session.ts";
import { findUser } from "../users/find-user.ts";
import { insertUser } from "../users/queries.ts";
import { changePassword } from "./change-password.ts";
import { createPasswordHasher } from "./password-hasher.ts";
import { replacePassword } from "./replace-password.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller: Caller = {
  requestId: "request-1",
  operation: "changePassword",
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A browser/1.0",
};

let database: TestDatabase;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test("gives the new session's cookie cache the user revision after the end of the other sessions", async () => {
  const config = identityConfig({ session: { cookieCache: { enabled: true } } });
  const passwords = createPasswordHasher(config.emailAndPassword.password);
  const deps = { ...createTestDeps({ config, db, clock: clock.now }), passwords };
  const user = await insertUser(db, newUser());
  if (!user) throw new Error("the user was not created");
  const userId = user.id;
  const currentPassword = "correct horse battery";
  await replacePassword(deps, {
    userId,
    passwordHash: await passwords.hash(currentPassword),
    ends: "none",
    action: "password.set",
    actor: { kind: "system" },
    caller,
  });
  const session = await createSession(deps, user, { caller, remember: true });
  if (!session) throw new Error("the session was not created");
  const body = { newPassword: "another battery", currentPassword, revokeOtherSessions: true };
  const answer = await changePassword(deps, {
    caller,
    body,
    session,
    params: undefined,
    query: undefined,
  });
  const epoch = (await findUser(deps, { id: userId }))?.revision;
  expect(epoch).toBeGreaterThan(user.revision);
  expect(answer.effect).toMatchObject({ kind: "issue", cached: { epoch } });
});
