import { randomBytes } from "node:crypto";
import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newCaller, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  openIdentityDatabase,
  seedUser,
} from "../db/test-identity.fixture.ts";
import { claimUser } from "../accounts/link-account.ts";
import { passwordAccount, proposeUser, registerUser } from "../accounts/register-user.ts";
import { insertPasskey } from "../rows/passkeys.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { adminUpdateUser } from "./update-user.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const roles = {
  admin: { user: ["update", "set-email", "reset-two-factor"] },
  support: { user: ["update", "set-email"] },
  user: {},
};
const config = identityConfig({ admin: { roles }, baseURL: "https://id.example.com" });
const deps = createTestDeps({ config, db, clock: Date.now });

const seedFactor = async (role = "user") => {
  const user = await seedUser(db, { role, twoFactorEnabled: true, emailVerified: true });
  await db.insertInto("twoFactor").values({ userId: user.id }).execute();
  return user;
};

const seedPasskey = async () => {
  const user = await seedUser(db, { role: "user", emailVerified: true });
  await insertPasskey(db, {
    id: await deps.newId(),
    userId: user.id,
    name: null,
    credentialId: randomBytes(16),
    publicKey: Buffer.of(1),
    counter: 0,
    deviceType: "multiDevice",
    backedUp: true,
    transports: null,
    aaguid: "",
    userVerified: true,
    createdAt: new Date(),
    lastUsedAt: null,
  });
  return user;
};

let count = 0;
const newAddress = () => `mailbox-of-the-admin-${(count += 1)}@example.com`;

interface By {
  by: UserRow;
  /** Default: the admin has just signed in. */
  authenticatedAt?: Date;
}

const update = async ({ by, authenticatedAt = new Date() }: By, userId: string, data: object) => {
  const person = newPerson({ id: by.id, role: by.role ?? "user" });
  const session = {
    ...person.session,
    authentication: { authenticatedAt, secondFactorAt: null, methods: "password" },
  };
  const call = { body: { userId, data }, caller: person.caller, session };
  await adminUpdateUser(deps, call as unknown as Call<typeof operations.identity.adminUpdateUser>);
};

const adminOf = (role: string) => seedUser(db, { role });

/** Attack: an admin who sets addresses proves the new one, which removes the factor, and signs in. */
describe("an admin who may set addresses but not reset second factors", () => {
  test.each([
    ["a second factor", seedFactor],
    ["a passkey", seedPasskey],
  ])("sets no address of a user with %s", async (_what, seed) => {
    const [by, user] = [await adminOf("support"), await seed()];
    for (const data of [
      { email: newAddress() },
      { email: newAddress(), emailVerified: true },
      { emailVerified: false },
    ])
      await expect(update({ by }, user.id, data)).rejects.toMatchObject({
        code: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
      });
    expect(await findUser(deps, { id: user.id })).toMatchObject({
      email: user.email,
      emailVerified: true,
    });
    await update({ by }, user.id, { name: "Grace" });
  });

  test("sets the address of a user without either", async () => {
    const [by, user] = [await adminOf("support"), await seedUser(db, { role: "user" })];
    const email = newAddress();
    await update({ by }, user.id, { email });
    expect(await findUser(deps, { id: user.id })).toMatchObject({ email });
  });

  test("sets none if the second factor was turned on since the user was read", async () => {
    const [by, user] = [await adminOf("support"), await seedUser(db, { role: "user" })];
    const before = async (row: object) => {
      await db
        .updateTable("user")
        .set({ twoFactorEnabled: true })
        .where("id", "=", user.id)
        .execute();
      return { data: row };
    };
    const slow = { ...deps.config, databaseHooks: { ...deps.config.databaseHooks } };
    slow.databaseHooks.user = { ...slow.databaseHooks.user, update: { before } };
    const person = newPerson({ id: by.id, role: "support" });
    const call = {
      body: { userId: user.id, data: { email: newAddress() } },
      caller: person.caller,
      session: person.session,
    } as unknown as Call<typeof operations.identity.adminUpdateUser>;
    await expect(adminUpdateUser({ ...deps, config: slow }, call)).rejects.toMatchObject({
      code: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
    });
    expect(await findUser(deps, { id: user.id })).toMatchObject({ email: user.email });
  });
});

test("an admin who may reset second factors needs a strong session to set an address", async () => {
  const [by, user] = [await adminOf("admin"), await seedFactor()];
  const email = newAddress();
  const authenticatedAt = new Date(Date.now() - 2 * 86_400_000);
  await expect(update({ by, authenticatedAt }, user.id, { email })).rejects.toMatchObject({
    code: "SESSION_IS_NOT_FRESH",
  });
  await update({ by }, user.id, { email });
  expect(await findUser(deps, { id: user.id })).toMatchObject({ email });
});

/** Attack: a thief of an admin's session sets the admin's address, which removes the factor. */
test("no admin sets their own address past their second factor", async () => {
  const by = await seedFactor("admin");
  await expect(update({ by }, by.id, { email: newAddress() })).rejects.toMatchObject({
    code: "YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR",
  });
});

/** The holder of the former address must not share the user with the owner of the new one. */
test.each([{ email: newAddress() }, { emailVerified: false }])(
  "an admin who sets %j lets a claim end the password that an admin had set",
  async (data) => {
    const actor = { kind: "user", id: "an admin" } as const;
    const newUser = {
      name: "Ada",
      email: newAddress(),
      emailVerified: true,
      image: null,
      extra: {},
    };
    const user = await proposeUser(deps, newUser);
    const caller = newCaller("any");
    await registerUser(deps, { user, account: passwordAccount("a hash"), actor, caller });
    await update({ by: await adminOf("admin") }, user.id, data);
    const changed = await findUser(deps, { id: user.id });
    expect(await claimUser(deps, { user: changed!, isVerified: true, caller })).toBe(true);
    const accounts = db.selectFrom("account").select("id").where("userId", "=", user.id);
    expect(await accounts.execute()).toEqual([]);
  },
);
