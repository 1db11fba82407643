import { createSoftwareAuthenticator, createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import {
  baseOptions,
  codeOf,
  newBrowser,
  newPasskeyUser,
  origin,
  register,
  signInByPasskey,
} from "./passkey-user.fixture.ts";
import { listPasskeyRows } from "../rows/passkeys.ts";

expectNoLeaks("file");

const clock = createTestClock();
const { db } = await openIdentityDatabase();
const deps = createTestDeps({ config: identityConfig(baseOptions), db, clock: clock.now });

const signIn = (
  { authenticator }: { authenticator: ReturnType<typeof createSoftwareAuthenticator> },
  deviation: object,
) => codeOf(signInByPasskey(deps, newBrowser(), { authenticator, deviation }));

const refusalsOf = async (userId: string) => ({
  audit: await db
    .selectFrom("audit")
    .select(["outcome", "actorKind", "before", "after"])
    .where("subjectId", "=", userId)
    .where("action", "=", "passkey.refused")
    .execute(),
  events: await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "passkey.refused")
    .where("data", "like", `%${userId}%`)
    .execute(),
});

describe("the signature counter", () => {
  test.each<[string, number, number, boolean]>([
    ["grows", 5, 6, true],
    ["starts", 0, 1, true],
    ["is not used", 0, 0, true],
    ["jumps beyond 31 bits", 1, 3_000_000_000, true],
    ["repeats", 5, 5, false],
    ["goes back", 5, 4, false],
    ["returns to 0", 5, 0, false],
  ])("decides on a copied passkey: it %s", async (_case, stored, sent, isAccepted) => {
    const person = await newPasskeyUser(deps);
    const { id } = await register(deps, person, { name: "Key" });
    await db.updateTable("passkey").set({ counter: stored }).where("id", "=", id).execute();
    const code = await signIn(person, { counter: sent });
    expect(code).toBe(isAccepted ? undefined : "AUTHENTICATION_FAILED");
    const [row] = await listPasskeyRows(db, person.user.id);
    expect(row?.counter).toBe(isAccepted ? sent : stored);
    const { audit, events } = await refusalsOf(person.user.id);
    const refused = {
      outcome: "refused",
      before: { id, counter: stored },
      after: { counter: sent },
    };
    expect(audit).toMatchObject(isAccepted ? [] : [refused]);
    expect(events).toHaveLength(isAccepted ? 0 : 1);
  });
});

describe("the backup state", () => {
  const synced = () => createSoftwareAuthenticator({ origin, isSynced: true });

  test("follows each use", async () => {
    const person = await newPasskeyUser(deps, { authenticator: synced() });
    expect(await register(deps, person)).toMatchObject({
      deviceType: "multiDevice",
      backedUp: true,
    });
    expect(await signIn(person, { flags: { bs: false } })).toBeUndefined();
    expect(await listPasskeyRows(db, person.user.id)).toMatchObject([{ backedUp: false }]);
  });

  /** Attack: the key of a synced passkey was extracted and is used by another authenticator. */
  test.each([
    ["a synced one", true],
    ["one of a device", false],
  ])("tells a copied passkey, whose device type differs: %s", async (_which, isSynced) => {
    const authenticator = createSoftwareAuthenticator({ origin, isSynced });
    const person = await newPasskeyUser(deps, { authenticator });
    await register(deps, person);
    const deviation = { flags: { be: !isSynced, bs: !isSynced } };
    expect(await signIn(person, deviation)).toBe("AUTHENTICATION_FAILED");
    const { audit, events } = await refusalsOf(person.user.id);
    expect([audit.length, events.length]).toEqual([1, 1]);
  });
});

describe("the user handle", () => {
  test.each([
    ["is not sent", null, true, undefined],
    ["is empty", "", true, undefined],
    ["is another one", "b3RoZXI", true, "AUTHENTICATION_FAILED"],
    ["is another one, of an imported passkey", "b3RoZXI", false, undefined],
  ])("%s", async (_case, userHandle, hasUserHandle, code) => {
    const person = await newPasskeyUser(deps);
    const { id } = await register(deps, person);
    if (!hasUserHandle)
      await db
        .updateTable("passkey")
        .set({ hasUserHandle } as never) // written once by the service
        .where("id", "=", id)
        .execute();
    expect(await signIn(person, { userHandle })).toBe(code);
  });
});
