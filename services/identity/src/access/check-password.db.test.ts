import { hashToken, isPasswordHash } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
  seedSession,
} from "../db/test-identity.fixture.ts";
import { insertAccount } from "../users/queries.ts";
import { signInEmail } from "../sign-in/sign-in-password.ts";
import { changePassword } from "../passwords/change-password.ts";
import { createPasswordHasher, type PasswordHasher } from "../passwords/password-hasher.ts";

expectNoLeaks("file");

const clock = createTestClock();
const password = "correct horse battery";
const callers = 16;
const caller = newCaller("signInEmail");

const { db } = await openIdentityDatabase(callers);

const hasherWith = (given: object = {}) =>
  createPasswordHasher(
    identityConfig({ emailAndPassword: { password: given } }).emailAndPassword.password,
  );

const depsWith = (passwords: PasswordHasher) => ({
  ...createTestDeps({ config: identityConfig(), db, clock: clock.now }),
  passwords,
});

/** Creates a user with a stored hash. */
const createUser = async (hash: string) => {
  const user = await seedUser(db);
  const { id, createdAt } = user;
  const names = { id, userId: id, providerId: "credential", accountId: id };
  await insertAccount(db, { ...names, password: hash, createdAt, updatedAt: createdAt });
  return user;
};

const signIn = (deps: ReturnType<typeof depsWith>, email: string) =>
  signInEmail(deps, {
    caller,
    body: { email, password },
    params: undefined,
    query: undefined,
    session: undefined,
  });

const accountOf = (userId: string) =>
  db
    .selectFrom("account")
    .select(["password", "updatedAt"])
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();

test("upgrades a hash in sixteen concurrent sign-ins, which all succeed and change nothing else", async () => {
  const user = await createUser(await hasherWith({ form: "colon" }).hash(password));
  const replicas = [depsWith(hasherWith()), depsWith(hasherWith())] as const;
  const answers = await Promise.all(
    Array.from({ length: callers }, (_, index) =>
      signIn(index % 2 === 0 ? replicas[0] : replicas[1], user.email),
    ),
  );
  const [{ sessions, passwords }] = replicas;
  const results = await Promise.all(
    answers.map((answer) =>
      sessions.find(
        hashToken("reply" in answer && "token" in answer.reply ? answer.reply.token : ""),
      ),
    ),
  );
  expect(results.filter((one) => one?.user.id === user.id)).toHaveLength(callers);
  expect(results[0]?.user.revision).toBe(user.revision);
  const account = await accountOf(user.id);
  expect(isPasswordHash(account.password ?? "", "phc")).toBe(true);
  expect(await passwords.verify(account.password, password)).toBe(true);
  expect(account.updatedAt).toEqual(user.updatedAt);
  const audited = await db.selectFrom("audit").select("action").distinct().execute();
  expect(audited).toEqual([{ action: "session.created" }]);
});

test("leaves a current hash as it is", async () => {
  const hash = await hasherWith().hash(password);
  const user = await createUser(hash);
  await signIn(depsWith(hasherWith()), user.email);
  expect((await accountOf(user.id)).password).toBe(hash);
});

test("leaves the hashes of the application's own functions as they are", async () => {
  const user = await createUser(`own ${password}`);
  const own = {
    hash: async (given: string) => `own ${given}`,
    verify: async (given: { hash: string; password: string }) =>
      given.hash === `own ${given.password}`,
  };
  await signIn(depsWith(hasherWith(own)), user.email);
  expect((await accountOf(user.id)).password).toBe(`own ${password}`);
});

test("asks the application's check only for hashes of another kind, and then stores the built-in one", async () => {
  const verifiedHashes: string[] = [];
  const verify = async (given: { hash: string; password: string }) => {
    verifiedHashes.push(given.hash);
    return given.hash === `foreign ${given.password}`;
  };
  const user = await createUser(`foreign ${password}`);
  const wrong = await createUser("foreign of another password");
  const knownUser = await createUser(await hasherWith().hash(password));
  const deps = depsWith(hasherWith({ verify }));
  await expect(signIn(deps, wrong.email)).rejects.toThrow();
  for (const { email } of [knownUser, user, user]) await signIn(deps, email);
  expect(verifiedHashes).toEqual(["foreign of another password", `foreign ${password}`]);
  const { password: stored } = await accountOf(user.id);
  expect(isPasswordHash(stored ?? "")).toBe(true);
  expect((await accountOf(wrong.id)).password).toBe("foreign of another password");
});

test("signs in if the upgrade fails", async () => {
  const hash = await hasherWith({ form: "colon" }).hash(password);
  const user = await createUser(hash);
  const passwords = { ...hasherWith(), upgrade: () => Promise.reject(new Error("no memory")) };
  await signIn(depsWith(passwords), user.email);
  expect((await accountOf(user.id)).password).toBe(hash);
});

test("lets a change of the password succeed during which a sign-in upgrades the hash", async () => {
  const user = await createUser(await hasherWith({ form: "colon" }).hash(password));
  const other = depsWith(hasherWith());
  const hasher = hasherWith();
  const hash = async (given: string) => {
    await signIn(other, user.email);
    return hasher.hash(given);
  };
  const deps = depsWith({ ...hasher, hash });
  const session = await seedSession(deps, user, { caller, remember: true });
  await changePassword(deps, {
    caller,
    body: { newPassword: "another battery", currentPassword: password },
    session,
    params: undefined,
    query: undefined,
  });
  const stored = (await accountOf(user.id)).password;
  expect(await hasher.verify(stored, "another battery")).toBe(true);
});
