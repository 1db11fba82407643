import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { applyClaim } from "../accounts/drop-accounts.ts";
import { unlinkAccount } from "../accounts/own-accounts.ts";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import { insertBackupCodes, storedBackupCode } from "../second-factor/backup-codes.ts";
import { eraseUser } from "../profile/delete-user.ts";
import { insertAccount } from "../users/queries.ts";
import {
  baseOptions,
  beginRegistration,
  codeOf,
  deletePasskeyOf,
  endRegistration,
  newBrowser,
  newPasskeyUser,
  type PasskeyUser,
  register,
  signInByPasskey,
} from "./passkey-user.fixture.ts";
import { listPasskeyRows } from "../rows/passkeys.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const depsOf = (options: object = {}) =>
  createTestDeps({ config: identityConfig({ ...baseOptions, ...options }), db, clock: clock.now });
const deps = depsOf();

const addAccount = ({ user }: PasskeyUser, providerId = "plain") =>
  insertAccount(db, {
    id: `${user.id}-${providerId}`,
    userId: user.id,
    providerId,
    accountId: user.id,
    createdAt: new Date(),
    updatedAt: new Date(),
  });

const unlink = (by: typeof deps, { browser, session }: PasskeyUser) =>
  unlinkAccount(by, {
    params: undefined,
    query: undefined,
    body: { providerId: "plain" },
    caller: browser.caller,
    session,
  });

const magicLink = { magicLink: { enabled: true } };
const emailOTP = { emailOTP: { enabled: true } };
const unlinkingAll = { account: { accountLinking: { allowUnlinkingAll: true } } };

describe("the last way in", () => {
  test.each<[string, { options?: object; verified?: boolean; email?: string }, boolean]>([
    ["nothing else", {}, false],
    ["an unproven address", { options: magicLink }, false],
    ["a proven address without links and codes", { verified: true }, false],
    ["a proven address and links", { options: magicLink, verified: true }, true],
    ["a proven address and codes", { options: emailOTP, verified: true }, true],
    [
      "an address that receives no mail",
      { options: magicLink, verified: true, email: "someone@plain.invalid" },
      false,
    ],
    ["nothing else, but the options allow it", { options: unlinkingAll }, true],
  ])("of a user with %s", async (_case, { options, verified = false, email }, mayGo) => {
    const own = depsOf(options);
    const members = { emailVerified: verified, ...(email ? { email } : {}) };
    const person = await newPasskeyUser(own, members);
    const { id } = await register(own, person);
    const code = mayGo ? undefined : "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN";
    expect(await codeOf(deletePasskeyOf(own, person, id))).toBe(code);
    expect(await listPasskeyRows(db, person.user.id)).toHaveLength(mayGo ? 0 : 1);
    await db.deleteFrom("user").where("id", "=", person.user.id).execute();
  });

  /** A user who was imported, or signs in by a provider, may have an account for a password without any. */
  test("is a passkey beside an account for a password without one", async () => {
    const person = await newPasskeyUser(deps);
    await addAccount(person, "credential");
    const { id } = await register(deps, person);
    expect(await codeOf(deletePasskeyOf(deps, person, id))).toBe(
      "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN",
    );
    await db
      .updateTable("account")
      .set({ password: "a hash" })
      .where("userId", "=", person.user.id)
      .execute();
    expect(await codeOf(deletePasskeyOf(deps, person, id))).toBeUndefined();
  });

  /** After a sign-in by mail a mailed code is no second factor, so such a user would be refused. */
  test.each<[string, { row?: object; backupCode?: boolean; options?: object }, boolean]>([
    ["codes by mail", {}, false],
    ["codes by mail and backup codes", { backupCode: true }, true],
    ["an app", { row: { secretSealed: "sealed" } }, true],
    [
      "an app that the options turn off",
      {
        row: { secretSealed: "sealed" },
        options: { twoFactor: { totpOptions: { disable: true } } },
      },
      false,
    ],
    [
      "codes by mail, if links need no second factor",
      { options: { twoFactor: { skipFor: ["magic-link"] } } },
      true,
    ],
    [
      "codes by mail, while second factors are off",
      { options: { twoFactor: { enabled: false } } },
      true,
    ],
  ])("is no mailbox of a user whose second factor is %s", async (_what, given, mayGo) => {
    const own = depsOf({ ...magicLink, ...given.options });
    const person = await newPasskeyUser(own, { emailVerified: true });
    const { id: userId } = person.user;
    await db.updateTable("user").set({ twoFactorEnabled: true }).where("id", "=", userId).execute();
    if (given.row)
      await db
        .insertInto("twoFactor")
        .values({ userId, ...given.row })
        .execute();
    const code = {
      ...storedBackupCode(own.ring, userId, { code: "a", isCaseSensitive: false }),
      id: userId,
      userId,
    };
    if (given.backupCode) await insertBackupCodes(db, [{ ...code, createdAt: new Date() }]);
    const { id } = await register(own, person);
    expect(await codeOf(deletePasskeyOf(own, person, id))).toBe(
      mayGo ? undefined : "YOU_CANT_REMOVE_YOUR_LAST_WAY_IN",
    );
  });

  test("is neither the passkey beside an account, nor the account beside a passkey", async () => {
    const [one, other] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
    for (const person of [one, other]) await addAccount(person);
    const { id } = await register(deps, one);
    await register(deps, other);
    expect(await codeOf(deletePasskeyOf(deps, one, id))).toBeUndefined();
    expect(await codeOf(unlink(deps, one))).toBe("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
    expect(await codeOf(unlink(deps, other))).toBeUndefined();
  });

  test("is an account beside a passkey while passkeys are off", async () => {
    const person = await newPasskeyUser(deps);
    await addAccount(person);
    await register(deps, person);
    const off = depsOf({ passkey: { enabled: false } });
    expect(await codeOf(unlink(off, person))).toBe("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
  });
});

describe("the passkeys of another user", () => {
  test("cannot be deleted", async () => {
    const [mine, theirs] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
    const { id } = await register(deps, theirs);
    expect(await codeOf(deletePasskeyOf(deps, mine, id))).toBe("PASSKEY_NOT_FOUND");
    expect(await listPasskeyRows(db, theirs.user.id)).toHaveLength(1);
  });
});

const claim = (userId: string, caller: PasskeyUser["browser"]["caller"]) =>
  db.transaction().execute((trx) => applyClaim(trx, deps, { userId, caller }));

/** Attack: a stranger who registered an address leaves a passkey behind for the day its owner takes the user over. */
describe("a claim by the owner of the address", () => {
  test("removes the passkeys of the first registrant, with an audit entry each", async () => {
    const person = await newPasskeyUser(deps);
    const { id } = await register(deps, person, { name: "Key" });
    await claim(person.user.id, person.browser.caller);
    expect(await codeOf(signInByPasskey(deps, newBrowser(), person))).toBe("PASSKEY_NOT_FOUND");
    const entries = await db
      .selectFrom("audit")
      .select("before")
      .where("subjectId", "=", person.user.id)
      .where("action", "=", "passkey.removed")
      .execute();
    expect(entries).toEqual([{ before: { id, name: "Key" } }]);
  });

  test("ends a registration that has begun", async () => {
    const person = await newPasskeyUser(deps);
    const response = person.authenticator.create(await beginRegistration(deps, person));
    await claim(person.user.id, person.browser.caller);
    expect(await codeOf(endRegistration(deps, person, { response }))).toBe("CHALLENGE_NOT_FOUND");
  });

  test("refuses a registration that an ended session begins later", async () => {
    const person = await newPasskeyUser(deps);
    clock.advance(1);
    await claim(person.user.id, person.browser.caller);
    expect(await codeOf(register(deps, person))).toBe("UNAUTHORIZED");
    expect(await listPasskeyRows(db, person.user.id)).toEqual([]);
  });
});

test("a deleted user leaves no passkey, handle or challenge", async () => {
  const person = await newPasskeyUser(deps);
  const userId = person.user.id;
  await register(deps, person);
  await beginRegistration(deps, person);
  const actor = { kind: "user", id: userId } as const;
  await eraseUser(deps, { userId, caller: person.browser.caller, actor });
  for (const table of ["passkey", "passkeyUser", "passkeyChallenge"] as const)
    expect(await db.selectFrom(table).selectAll().where("userId", "=", userId).execute()).toEqual(
      [],
    );
});
