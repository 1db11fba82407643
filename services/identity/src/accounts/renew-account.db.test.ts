import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { openTokens } from "./account-tokens.ts";
import type { TokenAccount } from "./queries.ts";
import { renewAccount } from "./renew-account.ts";
import {
  openTokenGround,
  startTokenProvider,
  type TokenGround,
  type TokenProvider,
} from "./token-provider.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let ground: TokenGround;
const open = (options: object = {}) => openTokenGround({ db, clock: clock.now, provider, options });
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  provider = await startTokenProvider();
  ground = open();
});
afterAll(async () => {
  await ground.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});

const kept = { accessToken: "old", refreshToken: "kept", scopes: ["a", "b"] };

const tokensOf = async (account: TokenAccount) => {
  const row = await ground.find(account);
  return row && openTokens(ground.deps, row);
};

test("a sign-in brings new tokens, and what it does not bring stays", async () => {
  const account = await ground.link(kept);
  expect(await renewAccount(ground.deps, account, { accessToken: "new" })).toBe("renewed");
  expect(await tokensOf(account)).toEqual({ ...kept, accessToken: "new" });
});

test.each([
  [["a"], ["a", "b"]],
  [
    ["b", "c"],
    ["a", "b", "c"],
  ],
  [["c,a"], ["a", "b", "c"]],
  [[], ["a", "b"]],
])("a sign-in with the scopes %j takes none away", async (scopes, expected) => {
  const account = await ground.link(kept);
  await renewAccount(ground.deps, account, { accessToken: "new", scopes });
  expect((await tokensOf(account))?.scopes).toEqual(expected);
});

test("of 16 sign-ins at once, each with a scope of its own, every scope is kept", async () => {
  const account = await ground.link(kept);
  const scopes = Array.from({ length: 16 }, (_, index) => `scope-${index}`);
  await Promise.all(
    scopes.map((scope) =>
      renewAccount(ground.deps, account, { accessToken: scope, scopes: [scope] }),
    ),
  );
  const { scopes: all = [] } = (await tokensOf(account)) ?? {};
  expect(all.slice(0, 2)).toEqual(kept.scopes);
  expect(all.slice(2).toSorted()).toEqual(scopes.toSorted());
});

test("an account without scopes gets those that a sign-in brings", async () => {
  const account = await ground.link({ accessToken: "old" });
  await renewAccount(ground.deps, account, { accessToken: "new", scopes: ["a", "a"] });
  expect((await tokensOf(account))?.scopes).toEqual(["a"]);
});

test("nothing changes where an application's hook vetoes or the account is gone, and which it was is said", async () => {
  const vetoing = open({ databaseHooks: { account: { update: { before: () => false } } } });
  const account = await vetoing.link(kept);
  expect(await renewAccount(vetoing.deps, account, { accessToken: "new" })).toBe("vetoed");
  expect(await tokensOf(account)).toEqual(kept);
  await vetoing.close();
  await db.deleteFrom("account").where("id", "=", account.id).execute();
  expect(await renewAccount(ground.deps, account, { accessToken: "new" })).toBe("gone");
});
