import { Writable } from "node:stream";
import { WireError } from "@latchkey/contracts";
import { createLogger } from "@latchkey/service-kit/observe";
import { createTestClock, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectIdentity, createIdentityDatabase } from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { openTokens } from "./account-tokens.ts";
import { getAccessTokenOf } from "./provider-tokens.ts";
import type { TokenAccount } from "../rows/accounts.ts";
import {
  caller,
  openTokenFixture,
  startTokenProvider,
  type TokenFixture,
  type TokenProvider,
} from "./token-provider.fixture.ts";

expectNoLeaks("file");

const clock = createTestClock();
const failed = {
  get: new WireError("FAILED_TO_GET_A_VALID_ACCESS_TOKEN"),
  refresh: new WireError("FAILED_TO_REFRESH_ACCESS_TOKEN"),
};
const secret = "what-only-the-provider-says";

let database: TestDatabase;
let db: Kysely<Tables>;
let provider: TokenProvider;
let fixture: TokenFixture;
/** Short timeouts, so that a call that hangs ends soon. */
const open = (options: object = {}) =>
  openTokenFixture({ db, clock: clock.now, provider, options, deadlineMilliseconds: 300 });
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
afterEach(() => {
  provider.instead = undefined;
  provider.local.seen = [];
});

const linkDue = (given: Parameters<TokenFixture["link"]>[1] = {}, one = fixture) => {
  const accessTokenExpiresAt = new Date(clock.now() - 1);
  const refreshToken = provider.grant();
  return one.link({ accessToken: "the old one", refreshToken, accessTokenExpiresAt }, given);
};

const tokensOf = async (account: TokenAccount) => {
  const row = await fixture.find(account);
  return row && openTokens(fixture.deps, row);
};

/** Returns the log lines of an access token request and its outcome. */
const logged = async (account: TokenAccount) => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: "identity", level: "debug", destination });
  const body = { userId: account.userId, providerId: account.providerId };
  const call = { body, caller, params: undefined, query: undefined, session: undefined };
  const outcome: unknown = await getAccessTokenOf({ ...fixture.deps, logger }, call).catch(
    (error: unknown) => error,
  );
  return { lines, told: outcome };
};

const failures: [string, TokenProvider["instead"]][] = [
  ["does not answer in time", () => undefined],
  ["breaks the connection", (_seen, response) => void response.destroy()],
  ["fails", () => ({ status: 500, body: { error: secret } })],
  ["answers with no JSON", () => ({ body: `<html>${secret}</html>`, type: "text/html" })],
  ["answers with another type of JSON", () => ({ body: [secret] })],
  ["answers with an error in a good answer", () => ({ body: { error: secret } })],
  ["answers without an access token", () => ({ body: { refresh_token: secret } })],
  ["names another error", () => ({ status: 400, body: { error: "invalid_client" } })],
  ["sends elsewhere", (_seen, response) => void response.writeHead(302, { location: "/" }).end()],
];

describe.each(failures)("a provider that %s", (_case, instead) => {
  test("causes only the documented error and leaves the tokens unchanged", async () => {
    const account = await linkDue();
    provider.instead = instead;
    await expect(fixture.getAccessToken(account)).rejects.toEqual(failed.get);
    await expect(fixture.refreshToken(account)).rejects.toEqual(failed.refresh);
    expect(await tokensOf(account)).toEqual(openTokens(fixture.deps, account));
    provider.instead = undefined;
    expect(await fixture.getAccessToken(account)).toHaveProperty("accessToken");
  });
});

// The response may echo what was sent, including the client secret.
test("logs the failing provider and the request, but neither log nor reply contains what was sent or received", async () => {
  const account = await linkDue();
  const { refreshToken = "" } = openTokens(fixture.deps, account);
  const sentence = `no ${refreshToken} ${secret}`;
  const answer = { error: "server_error", error_description: sentence };
  provider.instead = () => ({ status: 400, body: answer });
  const { lines, told: outcome } = await logged(account);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ provider: "own", requestId: "request-1", error: "server_error" }),
  ]);
  for (const hidden of [refreshToken, secret]) {
    expect(lines.join("")).not.toContain(hidden);
    expect(JSON.stringify([outcome, (outcome as Error).cause])).not.toContain(hidden);
  }
  expect(outcome).toEqual(failed.get);
});

describe("a refresh token that the provider refuses permanently", () => {
  const refuse = () => {
    provider.instead = () => ({ status: 400, body: { error: "invalid_grant" } });
  };

  test("is cleared, and the provider never receives it again", async () => {
    const account = await linkDue();
    refuse();
    await expect(fixture.getAccessToken(account)).rejects.toEqual(failed.get);
    expect(await fixture.getAccessToken(account)).toMatchObject({ accessToken: "the old one" });
    await expect(fixture.refreshToken(account)).rejects.toEqual(failed.refresh);
    expect(provider.refreshed()).toHaveLength(1);
    expect(await tokensOf(account)).not.toHaveProperty("refreshToken");
  });

  test("does not clear a newer refresh token", async () => {
    const account = await linkDue();
    provider.instead = (_seen, response) => {
      const newer = { accessToken: "newer", refreshToken: "newer" };
      const { id } = account;
      const write = db.updateTable("account").set(newer).where("id", "=", id).execute();
      void write.then(() => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: "invalid_grant" }));
      });
      return undefined;
    };
    await expect(fixture.refreshToken(account)).rejects.toEqual(failed.refresh);
    expect(await tokensOf(account)).toMatchObject({ refreshToken: "newer" });
  });
});

describe("a failing write of the tokens", () => {
  /** Makes the first `count` writes fail. */
  const failWrites = async (count: number) => {
    const body = `begin if nextval('identity.failures') <= ${count} then raise 'no'; end if; return new; end`;
    for (const statement of [
      sql`create sequence identity.failures`,
      sql`create function identity.fail() returns trigger language plpgsql as ${sql.lit(body)}`,
      sql`create trigger failing before update on identity.account
          for each row execute function identity.fail()`,
    ])
      await statement.execute(db);
  };
  afterEach(async () => {
    await sql`drop function identity.fail cascade`.execute(db);
    await sql`drop sequence identity.failures`.execute(db);
  });

  test("is retried shortly after, because the provider issues the tokens only once", async () => {
    const account = await linkDue();
    await failWrites(2);
    const { refreshToken } = await fixture.refreshToken(account);
    expect(await tokensOf(account)).toMatchObject({ refreshToken });
    expect(provider.refreshed()).toHaveLength(1);
  });

  test("causes the documented error if the retries fail too", async () => {
    const account = await linkDue();
    await failWrites(3);
    await expect(fixture.getAccessToken(account)).rejects.toEqual(failed.get);
    expect(provider.refreshed()).toHaveLength(1);
  });
});

describe("the named account", () => {
  const notFound = new WireError("ACCOUNT_NOT_FOUND");

  // A caller who knows the ids of another user's account must not get its tokens.
  test("is never another user's, neither by its own id nor by its id at the provider", async () => {
    const [ada, mallory] = [await linkDue(), await linkDue()];
    for (const accountId of [ada.id, ada.accountId]) {
      await expect(fixture.getAccessToken(mallory, { accountId })).rejects.toEqual(notFound);
      await expect(fixture.refreshToken(mallory, { accountId })).rejects.toEqual(notFound);
    }
    expect(provider.local.seen).toEqual([]);
  });

  test("is the one with that own id before one with that id at the provider", async () => {
    const user = await fixture.createUser();
    const named = await fixture.link({ accessToken: "by its own id" }, { user });
    await fixture.link({ accessToken: "by the provider's" }, { user, accountId: named.id });
    expect(await fixture.getAccessToken(named)).toMatchObject({ accessToken: "by its own id" });
  });

  test("is found by the id at the provider, and without an id the oldest at the provider is", async () => {
    const user = await fixture.createUser();
    const other = await fixture.link({ accessToken: "another" }, { user, providerId: "other" });
    const [first, second] = [
      await fixture.link({ accessToken: "first" }, { user }),
      await fixture.link({ accessToken: "second" }, { user }),
    ];
    const get = async (accountId: string | undefined) =>
      (await fixture.getAccessToken(first, { accountId })).accessToken;
    expect([await get(second.accountId), await get(first.accountId)]).toEqual(["second", "first"]);
    await expect(get(other.id)).rejects.toEqual(notFound);
    await db
      .updateTable("account")
      .set({ createdAt: new Date(0) } as object)
      .where("id", "=", second.id)
      .execute();
    expect(await get(undefined)).toBe("second");
  });
});

test("lets an application's hook veto a refresh before the provider is called, and runs the after hook", async () => {
  const changes: unknown[] = [];
  let isVetoed = true;
  const update = {
    before: () => !isVetoed && undefined,
    after: (row: unknown) => changes.push(row),
  };
  const hooked = open({ databaseHooks: { account: { update } } });
  const account = await linkDue({}, hooked);
  await expect(hooked.refreshToken(account)).rejects.toEqual(failed.refresh);
  expect([provider.local.seen, changes]).toEqual([[], []]);
  isVetoed = false;
  await hooked.refreshToken(account);
  const { id, userId, providerId, accountId } = account;
  expect(changes).toEqual([{ id, userId, providerId, accountId }]);
  await hooked.close();
});
