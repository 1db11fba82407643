import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { endPassword } from "../rows/passwords.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { listSignInProblems } from "./read-user.ts";
import { addRefusals } from "../refused-sign-ins/queries.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const clock = createTestClock("2030-01-02T12:00:00.000Z");
const depsWith = (tree: object) =>
  createTestDeps({ config: identityConfig(tree), db, clock: clock.now });
const deps = depsWith({});
const scope = { since: undefined, seesAddresses: true };

const setPassword = (userId: string) =>
  replacePassword(deps, {
    userId,
    passwordHash: "a hash",
    ends: "none",
    action: "password.set",
    actor: { kind: "system" },
    caller: newCaller(),
  });

test("an address that is not verified blocks the sign-in only if the installation requires it", async () => {
  const user = await seedUser(db);
  await setPassword(user.id);
  for (const required of [true, false]) {
    const config = { emailAndPassword: { requireEmailVerification: required } };
    expect(await listSignInProblems(depsWith(config), user, scope)).toEqual([
      { kind: "address-not-verified", blocks: required, canResend: true },
    ]);
  }
});

test("a password that an admin has ended blocks the sign-in if there is no other method, until a new one", async () => {
  const user = await seedUser(db, { emailVerified: true });
  await setPassword(user.id);
  const now = new Date(clock.now());
  await endPassword(db, { userId: user.id, password: "another hash", now });
  const problem = { kind: "password-reset-required", since: now };
  expect(await listSignInProblems(deps, user, scope)).toEqual([{ ...problem, blocks: true }]);
  const byMail = depsWith({ magicLink: { enabled: true } });
  expect(await listSignInProblems(byMail, user, scope)).toEqual([{ ...problem, blocks: false }]);
  await setPassword(user.id);
  expect(await listSignInProblems(deps, user, scope)).toEqual([]);
});

test("counts the refusals of a week by reason, with the address of the most", async () => {
  const user = await seedUser(db, { emailVerified: true });
  await setPassword(user.id);
  const at = (hours: number) => new Date(clock.now() - hours * 3_600_000);
  const refused = (ipAddress: string, hours: number, count: number) => ({
    userId: user.id,
    day: at(hours).toISOString().slice(0, 10),
    ipAddress,
    reason: "wrong-password" as const,
    count,
    firstAt: at(hours),
    lastAt: at(hours),
  });
  await addRefusals(db, [
    refused("192.0.2.1", 1, 2),
    refused("192.0.2.2", 2, 12),
    refused("192.0.2.3", 200, 100),
  ]);
  const problem = { kind: "refused", blocks: false, reason: "wrong-password" };
  expect(await listSignInProblems(deps, user, scope)).toEqual([
    { ...problem, count: 14, addressCount: 2, ipAddress: "192.0.2.2", lastAt: at(1) },
  ]);
  const since = { since: at(1.5), seesAddresses: false };
  expect(await listSignInProblems(deps, user, since)).toEqual([
    { ...problem, count: 2, addressCount: 1, ipAddress: null, lastAt: at(1) },
  ]);
});
