import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import { findUser } from "../users/find-user.ts";
import { changePassword } from "./change-password.ts";
import { createPasswordHasher } from "./password-hasher.ts";
import { replacePassword } from "./replace-password.ts";

expectNoLeaks("file");

const clock = createTestClock();
const caller = newCaller("changePassword");

const { db } = await openIdentityDatabase();

test("gives the new session's cookie cache the user revision after the end of the other sessions", async () => {
  const config = identityConfig({ session: { cookieCache: { enabled: true } } });
  const passwords = createPasswordHasher(config.emailAndPassword.password);
  const deps = { ...createTestDeps({ config, db, clock: clock.now }), passwords };
  const user = await seedUser(db);
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
  const session = await seedSession(deps, user, { caller, remember: true });
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
