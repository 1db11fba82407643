import { Writable } from "node:stream";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
import { importedAccountsMigration } from "../db/imported-accounts-migration.ts";
import { createSession } from "../sessions/create-session.ts";
import { passwordAccount, proposeUser, registerUser } from "./register-user.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase(2);

const caller = newCaller("signUpEmail");

/** Deps with these hooks, and the log. */
const loggingDeps = (databaseHooks: object) => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: "identity", level: "warn", destination });
  const deps = createTestDeps({ config: identityConfig({ databaseHooks }), db, clock: Date.now });
  return {
    deps: { ...deps, logger },
    warned: () => lines.map((line) => JSON.parse(line) as object),
  };
};

const giving = { create: { before: () => ({ data: { id: "chosen" } }) } };

const ada = { name: "Ada", image: null, extra: {} };

test("ignores an id from a hook with a warning, for users, accounts and sessions", async () => {
  const { deps, warned } = loggingDeps({ user: giving, account: giving, session: giving });
  const user = await proposeUser(deps, { ...ada, email: "ada@example.com" });
  const registered = await registerUser(deps, { user, account: passwordAccount("hash"), caller });
  const created =
    registered &&
    (await createSession(deps, registered, {
      caller,
      remember: true,
      proof: { methods: ["password"] },
    }));
  const [account] = await db
    .selectFrom("account")
    .select("id")
    .where("userId", "=", user.id)
    .execute();
  for (const id of [user.id, registered?.id, account?.id, created?.session.id])
    expect(id).toMatch(/^[A-Za-z0-9]{32}$/);
  const message = "an id that a hook gave is ignored: ids are made here";
  expect(warned()).toEqual(
    ["user", "account", "session"].map(
      (model) => expect.objectContaining({ model, msg: message }) as object,
    ),
  );
});

test("logs no warning for a hook that does not set the id", async () => {
  const { deps, warned } = loggingDeps({
    user: { create: { before: () => ({ data: { name: "Grace" } }) } },
    account: { create: { before: () => undefined } },
  });
  const user = await proposeUser(deps, { ...ada, email: "grace@example.com" });
  await registerUser(deps, { user, account: passwordAccount("hash"), caller });
  expect(warned()).toEqual([]);
});

test("keeps a forced id", async () => {
  const { deps, warned } = loggingDeps({ user: giving });
  const user = await proposeUser(deps, { ...ada, id: "forced", email: "eve@example.com" });
  expect((await registerUser(deps, { user, account: passwordAccount("hash"), caller }))?.id).toBe(
    "forced",
  );
  expect(warned()).toHaveLength(1);
});

/** Attack: before this version, a thief of an admin's session gave somebody else's address a password, and waits. */
test("an upgrade lets a claim end what was created for an unproven address, except open invitations", async () => {
  const deps = createTestDeps({ config: identityConfig(), db, clock: Date.now });
  const actor = { kind: "user", id: "an admin" } as const;
  const invitation = { password: null, invitedAt: new Date() };
  const create = async (
    email: string,
    emailVerified: boolean,
    secrets = passwordAccount("hash").secrets,
  ) => {
    const user = await proposeUser(deps, { ...ada, email, emailVerified });
    const account = { providerId: "credential", secrets };
    await registerUser(deps, { user, account, caller, actor });
    return user.id;
  };
  const users = [
    await create("unproven@example.com", false),
    await create("proven@example.com", true),
    await create("invited@example.com", false, invitation),
    await create("marked@example.com", true),
  ];
  await db
    .updateTable("user")
    .set({ verifiedByLinkAlone: true })
    .where("id", "=", users.at(-1)!)
    .execute();
  await db.updateTable("account").set({ provisioned: true }).where("userId", "in", users).execute();
  await db.transaction().execute((trx) => importedAccountsMigration.up(trx));
  const isProvisioned = async (userId: string) => {
    const accounts = db.selectFrom("account").select("provisioned").where("userId", "=", userId);
    return (await accounts.executeTakeFirstOrThrow()).provisioned;
  };
  expect(await Promise.all(users.map(isProvisioned))).toEqual([false, true, true, false]);
});
