import { hashToken, unseal } from "@latchkey/crypto";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
  seedUser,
} from "../db/test-identity.fixture.ts";
import type { Provider } from "../providers/provider-client.ts";
import { createSession } from "../sessions/create-session.ts";
import { changeUser } from "../users/change-user.ts";
import { eraseUser } from "./delete-user.ts";
import type { UserRow } from "../users/user-row.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(20);

const caller = newCaller("signOut");
const count = 16;

const createDeps = () => createTestDeps({ config: identityConfig(), db, clock: Date.now });
type Deps = ReturnType<typeof createDeps>;

const createUser = async (): Promise<UserRow> => {
  const user = await seedUser(db);
  return user;
};

const startSessions = async (deps: Deps, user: UserRow): Promise<Buffer[]> => {
  const started = await Promise.all(
    Array.from({ length: count }, () =>
      createSession(deps, user, { caller, remember: true, proof: { methods: ["password"] } }),
    ),
  );
  return started.map((session) => hashToken(session?.token ?? ""));
};

const erase = (deps: Deps, { id: userId }: UserRow) =>
  eraseUser(deps, { userId, caller, actor: { kind: "user", id: userId } });

test("completes sixteen concurrent sign-outs and choices, a change and a deletion of one user without error or deadlock", async () => {
  const deps = createDeps();
  for (let round = 0; round < 10; round += 1) {
    const user = await createUser();
    const hashes = await startSessions(deps, user);
    const place = { organizationId: "o" };
    const audit = {
      actor: { kind: "user", id: user.id },
      subject: { kind: "user", id: user.id },
      action: "session.signed-out",
      caller,
    } as const;
    const done = await Promise.allSettled([
      ...hashes.map((tokenHash) => deps.sessions.revoke({ tokenHash, userId: user.id }, audit)),
      ...hashes.map((tokenHash) =>
        deps.sessions.chooseOrganization({ tokenHash, userId: user.id }, place, caller),
      ),
      deps.sessions.forgetOrganization(user.id, place, caller),
      deps.sessions.revokeAll(user.id, undefined, audit),
      changeUser(deps, { user, change: { name: "Ada L." }, action: "user.updated", caller }),
      erase(deps, user),
    ]);
    expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
    const remaining = await db
      .selectFrom("session")
      .select("id")
      .where("userId", "=", user.id)
      .execute();
    expect(remaining).toEqual([]);
  }
});

test("deletes a user once in sixteen concurrent deletions, and returns the freed address", async () => {
  const deps = createDeps();
  const user = await createUser();
  const erased = await Promise.all(Array.from({ length: count }, () => erase(deps, user)));
  expect(erased.filter(Boolean)).toHaveLength(1);
  const events = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "user.deleted")
    .execute();
  const payloads = events.map(({ data }) => JSON.parse(data) as { userId: string; email: string });
  expect(payloads.filter(({ userId }) => userId === user.id)).toEqual([
    { userId: user.id, email: user.email },
  ]);
});

// A user who deletes the account expects that nobody has access to the linked accounts any more.
test("publishes events to revoke the grants of all accounts of a deleted user", async () => {
  const deps = { ...createDeps(), providers: new Map([["own", {} as Provider]]) }; // only its presence is checked
  const user = await createUser();
  const accounts = Array.from({ length: 2_500 }, (_, index) => ({
    id: `${user.id}-${index}`,
    userId: user.id,
    providerId: index === 0 ? "gone" : "own",
    accountId: `${user.id}-${index}`,
    accessToken: "a",
    createdAt: new Date(),
    updatedAt: new Date(),
  }));
  await db.insertInto("account").values(accounts).execute();
  expect(await erase(deps, user)).toBe(true);
  const rows = db.selectFrom("outbox").select("data").where("name", "=", "account.unlinked");
  const payloads = (await rows.execute()).map(
    ({ data }) => JSON.parse(unseal(deps.ring, "event", data) ?? "") as { accountId: string },
  );
  expect(payloads).toHaveLength(2_499);
  expect(new Set(payloads.map(({ accountId }) => accountId)).size).toBe(2_499);
});
