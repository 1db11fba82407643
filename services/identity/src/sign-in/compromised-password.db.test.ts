import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { createPasswordHasher } from "../passwords/password-hasher.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { signInEmail } from "./sign-in-password.ts";

expectNoLeaks("file");

const callers = 16;
const { db } = await openIdentityDatabase(callers);
const clock = createTestClock();
const caller = newCaller("signInEmail");
const password = "correct horse battery";

const depsWith = (emailAndPassword: object) => {
  const config = identityConfig({ emailAndPassword });
  return {
    ...createTestDeps({ config, db, clock: clock.now }),
    passwords: createPasswordHasher(config.emailAndPassword.password),
    compromisedPasswords: {
      includes: async (given: string) => given === password,
      close: async () => {},
    },
  };
};
type TestDeps = ReturnType<typeof depsWith>;

const choose = async (deps: TestDeps, userId: string, newPassword: string) =>
  replacePassword(deps, {
    userId,
    passwordHash: await deps.passwords.hash(newPassword),
    ends: "none",
    action: "password.set",
    actor: { kind: "system" },
    caller,
  });

const seedPerson = async (deps: TestDeps) => {
  const user = await seedUser(db);
  await choose(deps, user.id, password);
  return user;
};

const signIn = (deps: TestDeps, email: string, given = password) =>
  signInEmail(deps, {
    caller,
    body: { email, password: given },
    params: undefined,
    query: undefined,
    session: undefined,
  });

const countOf = async (userId: string) => {
  const audited = await db
    .selectFrom("audit")
    .select("action")
    .where("subjectId", "=", userId)
    .where("action", "=", "password.compromised")
    .execute();
  const mails = await db
    .selectFrom("outbox")
    .select("name")
    .where("name", "in", ["password.compromised", "password-reset.requested"])
    .execute();
  return { audited: audited.length, mails: mails.map(({ name }) => name) };
};

const isMarked = async (userId: string) => {
  const { compromisedAt } = await db
    .selectFrom("account")
    .select("compromisedAt")
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return compromisedAt !== null;
};

test("sixteen concurrent sign-ins with a leaked password mark it, and mail the user once", async () => {
  const deps = depsWith({});
  const { id, email } = await seedPerson(deps);
  await Promise.all(Array.from({ length: callers }, () => signIn(deps, email)));
  await signIn(deps, email);
  expect(await isMarked(id)).toBe(true);
  expect(await countOf(id)).toEqual({ audited: 1, mails: ["password.compromised"] });
  await choose(deps, id, "another battery");
  expect(await isMarked(id)).toBe(false);
  await signIn(deps, email, "another battery");
  expect(await isMarked(id)).toBe(false);
  await db.deleteFrom("outbox").execute();
});

test("if it must be changed, a sign-in is refused and mails a link instead", async () => {
  const deps = depsWith({ compromisedPasswordsAtSignIn: "change" });
  const { id, email } = await seedPerson(deps);
  await expect(signIn(deps, email)).rejects.toMatchObject({
    code: "PASSWORD_CHANGE_REQUIRED",
    status: 403,
  });
  expect(await countOf(id)).toEqual({ audited: 1, mails: ["password-reset.requested"] });
  await expect(signIn(deps, email, "a guess")).rejects.toThrow("Invalid email or password");
  await choose(deps, id, "another battery");
  await signIn(deps, email, "another battery");
});

test("a banned user is refused as banned, and mailed nothing", async () => {
  await db.deleteFrom("outbox").execute();
  const deps = depsWith({ compromisedPasswordsAtSignIn: "change" });
  const { id, email } = await seedPerson(deps);
  await db.updateTable("user").set({ banned: true }).where("id", "=", id).execute();
  await expect(signIn(deps, email)).rejects.toMatchObject({ code: "BANNED_USER" });
  expect(await countOf(id)).toEqual({ audited: 0, mails: [] });
});

test.each([{ compromisedPasswordsAtSignIn: "off" }, { compromisedPasswords: "off" }])(
  "with %j a sign-in compares nothing",
  async (options) => {
    const deps = depsWith(options);
    const { id, email } = await seedPerson(deps);
    await signIn(deps, email);
    expect(await isMarked(id)).toBe(false);
  },
);
