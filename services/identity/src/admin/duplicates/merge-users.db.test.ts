import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../../db/test-identity.fixture.ts";
import { readMails } from "../../mailed-sign-in/read-mails.fixture.ts";
import { insertPasskey, isPasskeyStored, listPasskeyRows } from "../../rows/passkeys.ts";
import { insertAccount } from "../../users/queries.ts";
import { findUser } from "../../users/find-users.ts";
import type { UserRow } from "../../users/user-row.ts";
import { adminUpdateUser } from "../update-user.ts";
import { adminBanUser, adminRemoveUser, adminUnbanUser } from "../user-access.ts";
import { adminListDuplicates } from "./list-duplicates.ts";
import { adminMergeUsers, adminUndoMerge, sweepMerges } from "./merge-users.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(20);
const clock = createTestClock("2030-01-02T12:00:00.000Z");
const deps = createTestDeps({ config: identityConfig(), db, clock: clock.now });
const caller = newCaller("any");

// An internal service calls, which has no session. `test/contract` covers the rights of admins.
const merge = async (user: UserRow, merged: UserRow) => {
  const body = { userId: user.id, mergedUserId: merged.id };
  const answer = await adminMergeUsers(deps, { body, caller } as never);
  if (!("reply" in answer)) throw new Error("the merge has no reply");
  return answer.reply;
};
const undo = (id: string) => adminUndoMerge(deps, { body: { id }, caller } as never);
const codeOf = async (trial: Promise<unknown>): Promise<unknown> =>
  trial.then(
    () => "done",
    (error: { code?: unknown }) => error.code,
  );
const tally = async (trials: readonly Promise<unknown>[]) => {
  const codes = await Promise.all(trials.map(codeOf));
  return Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]),
  );
};

const proven = (given: object = {}) => seedUser(db, { emailVerified: true, ...given });

const link = async ({ id: userId }: UserRow, providerId: string) => {
  const now = new Date(clock.now());
  const id = `${providerId} of ${userId}`;
  const account = { id, userId, providerId, accountId: id, createdAt: now, updatedAt: now };
  await insertAccount(db, { ...account, password: providerId === "credential" ? "a hash" : null });
};

const addPasskey = async ({ id: userId }: UserRow) => {
  const id = `passkey of ${userId}`;
  await insertPasskey(db, {
    id,
    userId,
    name: null,
    credentialId: Buffer.from(id),
    publicKey: Buffer.from("a key"),
    counter: 0,
    deviceType: "multiDevice",
    backedUp: true,
    transports: null,
    aaguid: "",
    userVerified: true,
    createdAt: new Date(clock.now()),
    lastUsedAt: null,
  });
};

const providersOf = async ({ id }: UserRow) => {
  const query = db.selectFrom("account").select("providerId").where("userId", "=", id);
  return (await query.execute()).map(({ providerId }) => providerId).toSorted();
};
const passkeysOf = async ({ id }: UserRow) =>
  (await listPasskeyRows(db, id)).map(({ hasUserHandle }) => hasUserHandle);
const eventsOf = async ({ id }: UserRow) => {
  const rows = await db.selectFrom("audit").select("action").where("subjectId", "=", id).execute();
  return rows.map(({ action }) => action);
};

/** Creates two users with accounts, the merged one with a passkey and a session too. */
const seedBoth = async () => {
  const [user, merged] = [await proven(), await proven()];
  for (const one of [user, merged]) await link(one, "credential");
  await link(merged, "github");
  await addPasskey(merged);
  await seedSession(deps, merged, { caller, remember: true });
  return { user, merged };
};

const day = 86_400_000;

test("moves accounts and passkeys but no password, ends the merged user's access, and tells of it", async () => {
  const { user, merged } = await seedBoth();
  const { undoableUntil } = await merge(user, merged);
  for (const { email } of [user, merged])
    expect(await readMails(deps, "accounts.merged", email)).toMatchObject([
      { keptEmail: user.email, mergedEmail: merged.email },
    ]);
  expect(await providersOf(user)).toEqual(["credential", "github"]);
  expect(await providersOf(merged)).toEqual(["credential"]);
  // The authenticator still names the handle of the merged user, which is not compared any more.
  expect([await passkeysOf(user), await passkeysOf(merged)]).toEqual([[false], []]);
  expect(await deps.sessions.list(merged.id, new Date(clock.now()), 10)).toEqual([]);
  expect(await findUser(deps, merged)).toMatchObject({ banned: true, banExpires: null });
  expect(await eventsOf(user)).toContain("user.merged");
  expect(await eventsOf(merged)).toContain("user.merged-away");
  expect(undoableUntil).toEqual(new Date(clock.now() + day));
});

test("restores everything by an undo within a day, which ends the sessions of the user, and tells of it once", async () => {
  const { user, merged } = await seedBoth();
  const { id } = await merge(user, merged);
  await seedSession(deps, user, { caller, remember: true });
  await link(user, "google");
  await undo(id);
  expect(await providersOf(user)).toEqual(["credential", "google"]);
  expect(await providersOf(merged)).toEqual(["credential", "github"]);
  expect([await passkeysOf(user), await passkeysOf(merged)]).toEqual([[], [true]]);
  expect(await findUser(deps, merged)).toMatchObject({ banned: false, banReason: null });
  expect(await deps.sessions.list(user.id, new Date(clock.now()), 10)).toEqual([]);
  expect(await codeOf(undo(id))).toBe("MERGE_NOT_FOUND");
  for (const { email } of [user, merged])
    expect(await readMails(deps, "accounts.separated", email)).toMatchObject([
      { keptEmail: user.email, mergedEmail: merged.email },
    ]);
  expect(await codeOf(merge(user, merged))).toBe("done");
});

test("moves a proven phone number to a user without one, and back by an undo", async () => {
  const numberOf = async (user: UserRow) => {
    const { phoneNumber, phoneNumberVerified } = (await findUser(deps, user)) ?? {};
    return phoneNumberVerified ? phoneNumber : null;
  };
  const number = "+4915112340001";
  const merged = await proven({ phoneNumber: number, phoneNumberVerified: true });
  const [user, other] = [await proven(), await proven()];
  const { id } = await merge(user, merged);
  expect([await numberOf(user), await numberOf(merged)]).toEqual([number, null]);
  expect(await eventsOf(user)).toContain("user.phone-changed");
  await undo(id);
  expect([await numberOf(user), await numberOf(merged)]).toEqual([null, number]);
  const theirs = "+4915112340002";
  await db
    .updateTable("user")
    .set({ phoneNumber: theirs, phoneNumberVerified: true })
    .where("id", "=", other.id)
    .execute();
  await undo((await merge(other, merged)).id);
  expect([await numberOf(other), await numberOf(merged)]).toEqual([theirs, number]);
});

test("lists a merge for both users", async () => {
  const { user, merged } = await seedBoth();
  const { id } = await merge(user, merged);
  for (const one of [user, merged]) {
    const answer = await adminListDuplicates(deps, { params: { id: one.id } } as never);
    expect("reply" in answer && answer.reply.merges).toMatchObject([
      { id, userId: user.id, mergedUserId: merged.id, mergedEmail: merged.email },
    ]);
  }
});

// Attack: an admin who may ban but not merge ends, shortens or replaces the ban of the merged user, who would sign in again or stay forever.
test("refuses every change of the ban of a merged user", async () => {
  const { user, merged } = await seedBoth();
  const { id } = await merge(user, merged);
  const { id: userId } = merged;
  const update = (data: object) =>
    adminUpdateUser(deps, { body: { userId, data }, caller } as never);
  for (const change of [
    () => adminUnbanUser(deps, { body: { userId }, caller } as never),
    () => adminBanUser(deps, { body: { userId, banExpiresIn: 60 }, caller } as never),
    () => update({ banned: false }),
    () => update({ banExpires: clock.now() + 60_000 }),
    () => update({ banReason: "another" }),
  ])
    expect(await codeOf(change())).toBe("USER_IS_MERGED");
  expect(await codeOf(update({ name: "Ada" }))).toBe("done");
  expect(await findUser(deps, merged)).toMatchObject({ banned: true, banExpires: null });
  await undo(id);
  expect(await codeOf(update({ banned: true }))).toBe("done");
});

test("refuses in a race either the merge or the change of the ban", async () => {
  for (let round = 0; round < 4; round += 1) {
    const [user, merged] = [await proven(), await proven()];
    const body = { userId: merged.id, banExpiresIn: 60 };
    const outcomes = await Promise.all([
      codeOf(merge(user, merged)),
      codeOf(adminBanUser(deps, { body, caller } as never)),
    ]);
    expect([
      ["done", "USER_IS_MERGED"],
      ["USERS_CANNOT_BE_MERGED", "done"],
    ]).toContainEqual(outcomes);
  }
});

test("no longer takes a passkey as the user's that an undo has returned", async () => {
  const { user, merged } = await seedBoth();
  const { id: mergeId } = await merge(user, merged);
  const id = `passkey of ${merged.id}`;
  expect(await isPasskeyStored(db, { id, userId: user.id })).toBe(true);
  await undo(mergeId);
  expect(await isPasskeyStored(db, { id, userId: user.id })).toBe(false);
});

test("deletes the merged user after a day also if the other one is deleted before", async () => {
  const { user, merged } = await seedBoth();
  const { id } = await merge(user, merged);
  await adminRemoveUser(deps, { body: { userId: user.id }, caller } as never);
  expect(await codeOf(undo(id))).toBe("USER_NOT_FOUND");
  const answer = await adminListDuplicates(deps, { params: { id: merged.id } } as never);
  expect("reply" in answer && answer.reply.merges).toEqual([]);
  clock.advance(day);
  await sweepMerges(deps);
  expect(await findUser(deps, merged)).toBeUndefined();
});

test("deletes the merged user after a day, when the merge can no longer be undone", async () => {
  const { user, merged } = await seedBoth();
  const { id } = await merge(user, merged);
  await sweepMerges(deps);
  expect(await findUser(deps, merged)).toBeDefined();
  clock.advance(day);
  expect(await codeOf(undo(id))).toBe("MERGE_NOT_FOUND");
  await sweepMerges(deps);
  expect(await findUser(deps, merged)).toBeUndefined();
  expect(await providersOf(user)).toEqual(["credential", "github"]);
  expect(await readMails(deps, "user.deleted", merged.email)).toMatchObject([
    { userId: merged.id, merge: { mergeId: id, userId: user.id } },
  ]);
  await adminRemoveUser(deps, { body: { userId: user.id }, caller } as never);
  expect(await readMails(deps, "user.deleted", user.email)).toEqual([
    { userId: user.id, email: user.email },
  ]);
});

// Attack: a stranger registers another address of somebody, and asks for a merge. A banned user does the same to escape the ban.
test("refuses users without a proven address, banned ones, the same one twice and chains of merges", async () => {
  const [user, unproven] = [await proven(), await seedUser(db)];
  const banned = await proven({ banned: true });
  const byLink = await proven();
  await db
    .updateTable("user")
    .set({ verifiedByLinkAlone: true })
    .where("id", "=", byLink.id)
    .execute();
  for (const [one, other] of [
    [user, unproven],
    [unproven, user],
    [user, byLink],
    [byLink, user],
    [user, banned],
    [banned, user],
    [user, user],
  ] as const)
    expect(await codeOf(merge(one, other))).toBe("USERS_CANNOT_BE_MERGED");
  const { user: first, merged } = await seedBoth();
  await merge(first, merged);
  expect(await codeOf(merge(user, first))).toBe("USERS_CANNOT_BE_MERGED");
  expect(await codeOf(merge(first, user))).toBe("USERS_CANNOT_BE_MERGED");
  expect(await codeOf(merge(user, { ...user, id: "nobody" }))).toBe("USER_NOT_FOUND");
});

test("merges once in sixteen concurrent merges in both directions, and undoes it once", async () => {
  const { user, merged } = await seedBoth();
  const both = Array.from({ length: 8 }, () => [merge(user, merged), merge(merged, user)]).flat();
  expect(await tally(both)).toEqual({ done: 1, USERS_CANNOT_BE_MERGED: 15 });
  const { id } = await db
    .selectFrom("userMerge")
    .select("id")
    .where(({ eb, or }) => or([eb("userId", "=", user.id), eb("userId", "=", merged.id)]))
    .executeTakeFirstOrThrow();
  const undos = Array.from({ length: 16 }, () => undo(id));
  expect(await tally(undos)).toEqual({ done: 1, MERGE_NOT_FOUND: 15 });
  expect([await providersOf(user), await providersOf(merged)]).toEqual([
    ["credential"],
    ["credential", "github"],
  ]);
});
