import { createDescribeChanges } from "../events/describe-changes.ts";
import { type Caller, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedSession,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { readMails } from "../mailed-sign-in/read-mails.fixture.ts";
import { findPassword } from "../access/check-password.ts";
import { insertPasskey, listPasskeyRows } from "../rows/passkeys.ts";
import { insertPasswordAccount } from "../rows/passwords.ts";
import { eraseUser } from "./delete-user.ts";
import { findUser } from "../users/find-users.ts";
import { insertAccount } from "../users/queries.ts";
import { takeEmail } from "./take-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { undoEmailChange, undoEmailChangePost } from "./undo-email-change.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db, connect } = await openIdentityDatabase();
const other = connect();
const createDeps = (of = db) =>
  createTestDeps({ config: identityConfig({}), db: of, clock: clock.now });
const deps = createDeps();
const caller: Caller = { ...newCaller("any"), opening: "link" };

let count = 0;
const newAddress = () => `ada${(count += 1)}@example.com`;

/** Registers a user with a password and a session. */
const register = async (emailVerified = true) => {
  const user = await seedUser(db, { email: newAddress(), emailVerified });
  const { id: userId } = user;
  const now = new Date(clock.now());
  const times = { createdAt: now, updatedAt: now };
  const account = { id: userId, userId, providerId: "credential", accountId: userId };
  await insertPasswordAccount(db, { ...account, ...times, password: "a hash" });
  const { session } = await seedSession(deps, user, { caller, remember: true });
  return { user, session };
};

const change = async (user: UserRow, session: Awaited<ReturnType<typeof register>>["session"]) => {
  clock.advance(1000);
  const email = newAddress();
  const change = { user, email, callbackURL: undefined, caller, session, isProven: true };
  const changed = await takeEmail(deps, change);
  if (!changed) throw new Error("the address was not changed");
  return changed;
};

const tokensTo = async (email: string): Promise<string[]> => {
  const mails = await readMails(deps, "email.changed", email);
  return mails.map(({ url }) => new URL(url).searchParams.get("token") ?? "");
};

const rest = { params: undefined, session: undefined, caller };
const undo = (token: string, of = deps) =>
  undoEmailChangePost(of, { ...rest, body: { token }, query: undefined });
const codeOf = (error: unknown) => (error instanceof WireError ? error.code : error);

/** The types of the events that applications receive about a user. */
const eventsOf = async (userId: string): Promise<string[]> => {
  const changes = await db
    .selectFrom("audit")
    .select(["action", "before", "after", "occurredAt", "subjectId", "subjectKind"])
    .where("subjectId", "=", userId)
    .orderBy("id")
    .execute();
  const events = await createDescribeChanges(deps)(db, changes);
  return events.flat().map(({ type }) => type);
};

test("sets the old address back, ends sessions, the password and the new address", async () => {
  const { user, session } = await register();
  const changed = await change(user, session);
  const [token = ""] = await tokensTo(user.email);
  expect(await undo(token)).toEqual({ reply: { status: true } });
  expect(await findUser({ db }, { id: user.id })).toMatchObject({
    email: user.email,
    emailVerified: true,
  });
  expect(await deps.sessions.find(hashToken(session.token))).toBeUndefined();
  expect(await findPassword({ db }, user.id)).toBeUndefined();
  expect(await readMails(deps, "password-reset.requested", user.email)).toHaveLength(1);
  expect(await readMails(deps, "password-reset.requested", changed.email)).toEqual([]);
});

/** Attack: a stranger requests links to both mailboxes until the limit is reached. */
test("is mailed its links although strangers have used up their own count of both mailboxes", async () => {
  const limited = createTestDeps({
    config: identityConfig({ rateLimit: { enabled: true } }),
    db,
    clock: clock.now,
  });
  const { user, session } = await register();
  const email = newAddress();
  const limit = { countsFor: "users", beyond: "drop" } as const;
  for (const mailbox of [user.email, email])
    while (await limited.limits.countLinkMail(db, { email: mailbox, ...limit }));
  clock.advance(1000);
  await takeEmail(limited, { user, email, callbackURL: undefined, caller, session });
  expect(await readMails(deps, "verification.requested", email)).toHaveLength(1);
  const [token = ""] = await tokensTo(user.email);
  await undo(token, limited);
  expect(await readMails(deps, "password-reset.requested", user.email)).toHaveLength(1);
});

/** Attack: a thief adds ways in, so that they survive the undo. */
test("deletes passkeys and accounts that were added since the change, and keeps earlier ones", async () => {
  const { user, session } = await register();
  const { id: userId } = user;
  const add = async (name: string, provisioned = false) => {
    clock.advance(1000);
    const createdAt = new Date(clock.now());
    const id = `${name} of ${userId}`;
    await insertAccount(db, {
      id,
      userId,
      providerId: name,
      accountId: id,
      provisioned,
      createdAt,
      updatedAt: createdAt,
    });
    await insertPasskey(db, {
      id,
      userId,
      name,
      credentialId: Buffer.from(id),
      publicKey: Buffer.of(1),
      counter: 0,
      deviceType: "multiDevice",
      backedUp: true,
      transports: null,
      aaguid: "",
      userVerified: true,
      createdAt,
      lastUsedAt: null,
    });
  };
  await add("github");
  await change(user, session);
  await add("google");
  await add("gitlab", true);
  const [token = ""] = await tokensTo(user.email);
  await undo(token);
  const accounts = await db
    .selectFrom("account")
    .select("providerId")
    .where("userId", "=", userId)
    .orderBy("providerId")
    .execute();
  expect(accounts.map(({ providerId }) => providerId)).toEqual(["credential", "github", "gitlab"]);
  expect((await listPasskeyRows(db, userId)).map(({ name }) => name)).toEqual(["github"]);
  const events = await db.selectFrom("outbox").select(["name", "data"]).execute();
  const ofUser = events.filter(({ data }) => data.includes(userId)).map(({ name }) => name);
  expect(ofUser).toContain("user.claimed");
});

test.each([
  ["stays if it was on at the change", true],
  ["is deleted if it was turned on since", false],
])("the second factor %s", async (_what, hadSecondFactor) => {
  const { user, session } = await register();
  const { id: userId } = user;
  const turnOn = async () => {
    await db.updateTable("user").set({ twoFactorEnabled: true }).where("id", "=", userId).execute();
    await db.insertInto("twoFactor").values({ userId }).execute();
  };
  if (hadSecondFactor) await turnOn();
  await change({ ...user, twoFactorEnabled: hadSecondFactor }, session);
  if (!hadSecondFactor) await turnOn();
  const [token = ""] = await tokensTo(user.email);
  await undo(token);
  expect(await findUser({ db }, { id: userId })).toMatchObject({
    email: user.email,
    twoFactorEnabled: hadSecondFactor,
  });
  const rows = db.selectFrom("twoFactor").select("userId").where("userId", "=", userId);
  expect(await rows.execute()).toHaveLength(hadSecondFactor ? 1 : 0);
  const mails = await readMails(deps, "two-factor.disabled", user.email);
  expect(mails).toHaveLength(hadSecondFactor ? 0 : 1);
  const types = await eventsOf(userId);
  expect(types).toEqual(
    expect.arrayContaining(["user.email-changed", "user.password-changed", "session.all-revoked"]),
  );
  expect(types.includes("two-factor.disabled")).toBe(!hadSecondFactor);
});

test("acts once in 16 concurrent uses at two replicas", async () => {
  const { user, session } = await register();
  await change(user, session);
  const [token = ""] = await tokensTo(user.email);
  const replicas = [deps, createDeps(other)] as const;
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, index) => undo(token, replicas[index % 2]).catch(codeOf)),
  );
  expect(outcomes.filter((outcome) => outcome === "INVALID_TOKEN")).toHaveLength(15);
});

test("a GET shows a page and changes nothing", async () => {
  const { user, session } = await register();
  const changed = await change(user, session);
  const [token = ""] = await tokensTo(user.email);
  for (const opening of ["link", "prefetch", "call"] as const)
    expect(
      await undoEmailChange(deps, {
        ...rest,
        caller: { ...caller, opening },
        query: { token },
        body: undefined,
      }),
    ).toEqual({ question: { act: "undo", email: "a…@example.com", newEmail: "a…@example.com" } });
  expect(await findUser({ db }, { id: user.id })).toMatchObject({ email: changed.email });
});

/** A thief changes the address twice, and uses the link of the second change to keep an address of their own. */
test("a link of a later change reverts no undo, and does not end the earlier link", async () => {
  const { user, session } = await register();
  const first = await change(user, session);
  await change(first, session);
  const [owners = ""] = await tokensTo(user.email);
  const [thiefs = ""] = await tokensTo(first.email);
  await undo(thiefs);
  await undo(owners);
  expect(await findUser({ db }, { id: user.id })).toMatchObject({ email: user.email });
  await expect(undo(thiefs)).rejects.toThrow("invalid token");
});

test("the undo of the first change ends the link of the second", async () => {
  const { user, session } = await register();
  const first = await change(user, session);
  await change(first, session);
  const [owners = ""] = await tokensTo(user.email);
  const [thiefs = ""] = await tokensTo(first.email);
  await undo(owners);
  await expect(undo(thiefs)).rejects.toThrow("invalid token");
});

test("an unproven old address gets no link", async () => {
  const { user, session } = await register(false);
  await change(user, session);
  expect(await tokensTo(user.email)).toEqual([]);
});

test("expires after seven days", async () => {
  const { user, session } = await register();
  await change(user, session);
  const [token = ""] = await tokensTo(user.email);
  clock.advance(7 * 86_400_000);
  await expect(undo(token)).rejects.toThrow("invalid token");
});

test("is refused once another user has the old address, and stays good", async () => {
  const { user, session } = await register();
  await change(user, session);
  const [token = ""] = await tokensTo(user.email);
  const taker = await seedUser(db, { email: user.email });
  await expect(undo(token)).rejects.toThrow("Email already in use");
  await eraseUser(deps, { userId: taker.id, caller, actor: { kind: "system" } });
  expect(await undo(token)).toEqual({ reply: { status: true } });
});

test("is deleted with the user", async () => {
  const { user, session } = await register();
  await change(user, session);
  await eraseUser(deps, { userId: user.id, caller, actor: { kind: "system" } });
  const rows = JSON.stringify(await db.selectFrom("verification").select("value").execute());
  expect(rows).not.toContain(user.id);
});
