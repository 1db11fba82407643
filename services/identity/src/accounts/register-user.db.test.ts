import { Writable } from "node:stream";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, newCaller } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  openIdentityDatabase,
  createTestDeps,
  identityConfig,
} from "../db/test-identity.fixture.ts";
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
