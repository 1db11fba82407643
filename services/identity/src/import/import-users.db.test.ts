import { hash } from "node:crypto";
import { namesOf } from "@latchkey/service-kit/database";
import {
  createTableImporter,
  importTransaction,
  rerecordImported,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { claimUser } from "../accounts/link-account.ts";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { issueSecret } from "../secrets/secrets.ts";
import { importedAccountsMigration } from "../db/imported-accounts-migration.ts";
import { findUser } from "../users/find-users.ts";
import { type GivenAccount, type GivenUser, importedColumns } from "./imported-rows.ts";
import { importAccounts } from "./import-accounts.ts";
import { importedAccounts } from "./queries.ts";
import { importUsers } from "./import-users.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();

const noValues = Object.fromEntries(
  namesOf(importedColumns.user).map((name) => [name, null]),
) as Record<keyof typeof importedColumns.user, null>;

const noAccount = Object.fromEntries(
  namesOf(importedColumns.account).map((name) => [name, null]),
) as Record<keyof typeof importedColumns.account, null>;

const ada: GivenUser = {
  ...noValues,
  id: "ada",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  role: "user",
  createdAt: clock.now(),
  updatedAt: clock.now(),
  extra: {},
};

const hashOf = (values: object) =>
  hash("md5", JSON.stringify(values)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** A source database with these users. */
const batchOf = (...users: GivenUser[]): SourceBatch<GivenUser> => {
  const rows = users.map((values) => ({ key: values.id, hash: hashOf(values), values }));
  return {
    source: "there",
    model: "user",
    after: "",
    upTo: undefined,
    rows,
    load: async (keys) => rows.filter(({ key }) => keys.includes(key)),
    isLeft: () => false,
    isDryRun: false,
    claim: () => true,
  };
};

test("bans an imported user in every snapshot here, even if the run ends before it has renewed them", async () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
  await importUsers(deps, batchOf(ada));
  const dying = {
    ...deps,
    sessions: {
      ...deps.sessions,
      storesUserSnapshots: true,
      renewUser: () => Promise.reject(new Error("killed")),
    },
  };
  await expect(importUsers(dying, batchOf({ ...ada, banned: true }))).rejects.toThrow("killed");
  // The consumer of this event renews the snapshots.
  const events = db.selectFrom("outbox").select("data").where("name", "=", "user.updated");
  expect((await events.execute()).map(({ data }) => JSON.parse(data) as unknown)).toEqual([
    { userId: ada.id },
  ]);
  const again = await importUsers(deps, batchOf({ ...ada, banned: true }));
  expect(again).toMatchObject({ changed: 0, same: 1 });
});

test("notes a role that does not exist here, but not that a user has none or only the default one of the source", async () => {
  const admin = { defaultRole: "member", roles: { member: {}, admin: {} } };
  const deps = createTestDeps({ config: identityConfig({ admin }), db, clock: clock.now });
  const having = (name: string, role: string | null): GivenUser => ({
    ...ada,
    id: `role ${name}`,
    email: `role-${name}@example.com`,
    role,
  });
  const users = [
    having("none", null),
    having("empty", ""),
    having("plain", "user"),
    having("lost", "user,astronaut"),
    having("own", "member"),
  ];
  const { noted } = await importUsers(deps, { ...batchOf(...users), source: "roles" });
  expect(noted).toEqual([
    { key: "role lost", reason: 'its role "astronaut" is not one of admin.roles' },
  ]);
  for (const { id } of users)
    expect(await findUser(deps, { id })).toMatchObject({ role: "member" });
});

test("takes numbers over in one form, each for one user, and leaves out those that the options do not allow", async () => {
  const phoneNumber = { enabled: true, allowedCountries: ["DE"] };
  const deps = createTestDeps({ config: identityConfig({ phoneNumber }), db, clock: clock.now });
  const having = (name: string, given: string): GivenUser => ({
    ...ada,
    id: `phone ${name}`,
    email: `phone-${name}@example.com`,
    phoneNumber: given,
    phoneNumberVerified: true,
  });
  const users = [
    having("a", "+49 (151) 12345678"),
    having("b", "+4915112345678"),
    having("c", "notanumber"),
  ];
  const { noted } = await importUsers(deps, { ...batchOf(...users), source: "phones" });
  expect(noted).toEqual([
    { key: "phone c", reason: "its phone number is not one that the options allow" },
    { key: "phone b", reason: "another user has its phone number here" },
  ]);
  const numbers = await Promise.all(
    users.map(async ({ id }) => {
      const user = await findUser(deps, { id });
      return [user?.phoneNumber, user?.phoneNumberVerified];
    }),
  );
  expect(numbers).toEqual([
    ["+4915112345678", true],
    [null, false],
    [null, false],
  ]);
});

describe("a user who was claimed here", () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
  const caller = newCaller("any");

  /** Imports a user, of whom the source says that the address is unverified, with a password and an account at a provider. */
  const bring = async (source: string) => {
    clock.advance(1000);
    const id = `user of ${source}`;
    const email = `${source}@example.com`;
    const user = { ...ada, id, email, emailVerified: false };
    const account = (name: string, password: string | null): GivenAccount => ({
      ...noAccount,
      id: `${name} of ${id}`,
      userId: id,
      providerId: name,
      accountId: `${name} of ${id}`,
      password,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      hasUser: true,
    });
    const accounts = [account("credential", "a hash"), account("github", null)];
    const users = () => ({ ...batchOf(user), source });
    const batchOfAccounts = (given = accounts): SourceBatch<GivenAccount> => {
      const rows = given.map((values) => ({ key: values.id, hash: hashOf(values), values }));
      const load = async (keys: readonly string[]) => rows.filter(({ key }) => keys.includes(key));
      return { ...users(), source, model: "account", rows, load };
    };
    await importUsers(deps, users());
    await importAccounts(deps, batchOfAccounts());
    return { user, source, account, batchOfAccounts };
  };

  const accountsOf = ({ id }: GivenUser) =>
    db.selectFrom("account").select("id").where("userId", "=", id).execute();
  const claim = async ({ email }: GivenUser) => {
    const user = await findUser(deps, { email: email ?? "" });
    return claimUser(deps, { user: user!, isVerified: true, caller });
  };
  /** The address was changed in the source: by the former holder, who wants the user back. */
  const moved = (user: GivenUser) => ({ ...user, email: `thief-${user.email}`, role: "admin" });

  /** Attack: somebody registers the address of another in the source, and waits. */
  test("loses the imported password and accounts of the former holder", async () => {
    const { user } = await bring("waiting");
    expect(await accountsOf(user)).toHaveLength(2);
    expect(await claim(user)).toBe(true);
    expect(await accountsOf(user)).toEqual([]);
  });

  /** Attack: the former holder changes the address in the source, and resets the password after the next run. */
  test.each([true, false])("is never changed by a later run, dry: %s", async (isDryRun) => {
    const { user, source } = await bring(`moved-${isDryRun}`);
    await claim(user);
    const run = await importUsers(deps, { ...batchOf(moved(user)), source, isDryRun });
    const reason = "its address was proven here since: nothing more of it is imported";
    expect(run).toMatchObject({ added: 0, changed: 0, same: 0, removed: 0, noted: [] });
    expect(run.left).toEqual([{ key: user.id, reason }]);
    expect(await findUser(deps, { id: user.id })).toMatchObject({
      email: user.email,
      role: "user",
    });
  });

  test("counts as left out, and not as unchanged, if nothing changed in the source", async () => {
    const { user, source } = await bring("unchanged");
    await claim(user);
    const run = await importUsers(deps, { ...batchOf(user), source });
    expect([run.same, run.left.length]).toEqual([0, 1]);
  });

  test("stays if the source deletes the user", async () => {
    const { user, source } = await bring("deleted");
    await db.updateTable("user").set({ emailVerified: true }).where("id", "=", user.id).execute();
    await importUsers(deps, { ...batchOf({ ...user, emailVerified: true }), source });
    await db
      .updateTable("user")
      .set({ sessionsEndedAt: new Date(clock.now()) })
      .where("id", "=", user.id)
      .execute();
    const run = await importUsers(deps, { ...batchOf(), source });
    expect(run).toMatchObject({ removed: 0 });
    expect(await findUser(deps, { id: user.id })).toBeDefined();
  });

  /** A run takes minutes, so users may be claimed after their rows were read. */
  test("gets no accounts, changes or deletions from a run that goes on while it is claimed", async () => {
    const { user, source, account, batchOfAccounts } = await bring("meanwhile");
    const changed = { ...batchOf(moved(user)), source };
    const { load } = changed;
    const whileLoading = async (keys: readonly string[]) => {
      await claim(user);
      return load(keys);
    };
    const run = await importUsers(deps, { ...changed, load: whileLoading });
    expect(run).toMatchObject({ changed: 0, left: [{ key: user.id }] });
    const imported = await importAccounts(deps, batchOfAccounts([account("google", null)]));
    expect(imported.added).toBe(0);
    expect(imported.left.map(({ key }) => key)).toContain(account("google", null).id);
    expect(await findUser(deps, { id: user.id })).toMatchObject({ email: user.email });
    expect(await accountsOf(user)).toEqual([]);
  });

  test("loses what a run of an earlier version marked as provisioned, which still counts as unchanged", async () => {
    const { user, source } = await bring("earlier");
    const keys = (await accountsOf(user)).map(({ id }) => id);
    await importTransaction(db, async (trx) => {
      await trx
        .updateTable("account")
        .set({ provisioned: true })
        .where("userId", "=", user.id)
        .execute();
      await rerecordImported(trx, importedAccounts, { source, model: "account", keys });
    });
    await db.transaction().execute((trx) => importedAccountsMigration.up(trx));
    const { untouched } = createTableImporter(db, importedAccounts);
    expect(await untouched(keys, { source, model: "account" })).toEqual(new Set(keys));
    await claim(user);
    expect(await accountsOf(user)).toEqual([]);
  });

  test("is either changed by the import or claimed, if both happen at once", async () => {
    const { user, source, account, batchOfAccounts } = await bring("race");
    const google = batchOfAccounts([account("google", null)]);
    const [isClaimed] = await Promise.all([
      claim(user),
      ...Array.from({ length: 8 }, () => importUsers(deps, { ...batchOf(moved(user)), source })),
      ...Array.from({ length: 8 }, () => importAccounts(deps, google)),
    ]);
    const storedUser = await findUser(deps, { id: user.id });
    expect(storedUser?.email).toBe(isClaimed ? user.email : moved(user).email);
    if (isClaimed) expect(await accountsOf(user)).toEqual([]);
  });
});

test("a changed address in the source ends links that were mailed to the former one", async () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
  const user = { ...ada, id: "mover", email: "mover@example.com" };
  await importUsers(deps, { ...batchOf(user), source: "mover" });
  await issueSecret(deps, db, { name: "passwordReset", holder: user.id, lifetimeSeconds: 3600 });
  await importUsers(deps, { ...batchOf({ ...user, email: "moved@example.com" }), source: "mover" });
  expect(
    await db.selectFrom("verification").select("id").where("value", "=", user.id).execute(),
  ).toEqual([]);
});

test("imports guests, who may sign up here, until their source says that they have", async () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
  const guest = { ...ada, id: "visitor", email: "visitor@anonymous.placeholder.invalid" };
  const isRecorded = async () => {
    const rows = db.selectFrom("guest").select("userId").where("userId", "=", guest.id);
    return (await rows.execute()).length > 0;
  };
  await importUsers(deps, batchOf({ ...guest, isAnonymous: true }));
  expect(await isRecorded()).toBe(true);
  await importUsers(deps, batchOf({ ...guest, isAnonymous: false }));
  expect(await isRecorded()).toBe(false);
});
