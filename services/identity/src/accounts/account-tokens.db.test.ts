import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { openTokens } from "./account-tokens.ts";
import type { TokenAccount } from "../rows/accounts.ts";
import { renewAccount } from "./renew-account.ts";
import {
  openTokenFixture,
  startTokenProvider,
  type TokenFixture,
  type TokenProvider,
} from "./token-provider.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let fixture: TokenFixture;
const open = (options: object = {}) =>
  openTokenFixture({ db, clock: clock.now, provider, options });
beforeAll(async () => {
  database = await createIdentityDatabase();
  db = connectIdentity(database.url);
  provider = await startTokenProvider();
  fixture = open();
});
afterAll(async () => {
  await fixture.close();
  await provider.local.close();
  await db.destroy();
  await database.drop();
});

const storedTokens = { accessToken: "old", refreshToken: "kept", scopes: ["a", "b"] };

const tokensOf = async (account: TokenAccount) => {
  const row = await fixture.find(account);
  return row && openTokens(fixture.deps, row);
};

test("a sign-in stores its tokens and keeps values that it omits", async () => {
  const account = await fixture.link(storedTokens);
  expect(await renewAccount(fixture.deps, account, { accessToken: "new" })).toBe("renewed");
  expect(await tokensOf(account)).toEqual({ ...storedTokens, accessToken: "new" });
});

test.each([
  [["a"], ["a", "b"]],
  [
    ["b", "c"],
    ["a", "b", "c"],
  ],
  [["c,a"], ["a", "b", "c"]],
  [[], ["a", "b"]],
])("a sign-in with the scopes %j removes none", async (scopes, expected) => {
  const account = await fixture.link(storedTokens);
  await renewAccount(fixture.deps, account, { accessToken: "new", scopes });
  expect((await tokensOf(account))?.scopes).toEqual(expected);
});

test("keeps every scope of 16 concurrent sign-ins with different scopes", async () => {
  const account = await fixture.link(storedTokens);
  const scopes = Array.from({ length: 16 }, (_, index) => `scope-${index}`);
  await Promise.all(
    scopes.map((scope) =>
      renewAccount(fixture.deps, account, { accessToken: scope, scopes: [scope] }),
    ),
  );
  const { scopes: all = [] } = (await tokensOf(account)) ?? {};
  expect(all.slice(0, 2)).toEqual(storedTokens.scopes);
  expect(all.slice(2).toSorted()).toEqual(scopes.toSorted());
});

test("a sign-in adds its scopes to an account without any", async () => {
  const account = await fixture.link({ accessToken: "old" });
  await renewAccount(fixture.deps, account, { accessToken: "new", scopes: ["a", "a"] });
  expect((await tokensOf(account))?.scopes).toEqual(["a"]);
});

test("changes nothing if the application's hook vetoes or the account is deleted, and returns which", async () => {
  const vetoing = open({ databaseHooks: { account: { update: { before: () => false } } } });
  const account = await vetoing.link(storedTokens);
  expect(await renewAccount(vetoing.deps, account, { accessToken: "new" })).toBe("vetoed");
  expect(await tokensOf(account)).toEqual(storedTokens);
  await vetoing.close();
  await db.deleteFrom("account").where("id", "=", account.id).execute();
  expect(await renewAccount(fixture.deps, account, { accessToken: "new" })).toBe("gone");
});
