import type { ServerResponse } from "node:http";
import { createTestClock, expectNoLeaks, type TestDatabase, until } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
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
import { withTokenLease } from "./with-token-lease.ts";

expectNoLeaks("file");

const clock = createTestClock();
const leaseMilliseconds = 15_000;
const callersCount = 16;

let database: TestDatabase;
let dbs: Kysely<Tables>[];
let provider: TokenProvider;
let grounds: TokenGround[];
let ground: TokenGround;
beforeAll(async () => {
  database = await createIdentityDatabase();
  dbs = [connectIdentity(database.url), connectIdentity(database.url)];
  provider = await startTokenProvider();
  // As many processes.
  grounds = dbs.map((db) => openTokenGround({ db, clock: clock.now, provider }));
  [ground] = grounds as [TokenGround];
});
afterAll(async () => {
  await Promise.all(grounds.map(({ close }) => close()));
  await provider.local.close();
  await Promise.all(dbs.map((db) => db.destroy()));
  await database.drop();
});
afterEach(() => {
  provider.instead = undefined;
  provider.local.seen = [];
  provider.reusedCount = 0;
});

const left = (milliseconds: number) => new Date(clock.now() + milliseconds);

/** An account whose access token has ended. */
const linkDue = async (tokens: object = {}) => {
  const refreshToken = provider.grant();
  const ended = { accessToken: "the old one", refreshToken, accessTokenExpiresAt: left(-1) };
  return { refreshToken, account: await ground.link({ ...ended, ...tokens }) };
};

const tokensOf = async (account: TokenAccount) => {
  const row = await ground.find(account);
  return row && openTokens(ground.deps, row);
};

/** Many at once, in every process alike. */
const race = <T>(act: (one: TokenGround) => Promise<T>): Promise<T[]> =>
  Promise.all(
    Array.from({ length: callersCount }, (_, index) => act(grounds[index % 2] ?? ground)),
  );

/** Counts how often a process has seen that a token is due, and once more for each refresh. */
const countLooks = () => {
  const looked = { count: 0 };
  for (const { deps } of grounds) {
    const own = deps.providers.get("own")!;
    const { define } = own;
    own.define = () => {
      looked.count += 1;
      return define();
    };
    onTestFinished(() => {
      own.define = define;
    });
  }
  return looked;
};

const say = (response: ServerResponse | undefined, answer: object): void => {
  response?.setHeader("content-type", "application/json").end(JSON.stringify(answer));
};

/** Leaves who refreshes waiting until it is told what to answer. */
const holdUp = () => {
  const waiting: ServerResponse[] = [];
  provider.instead = (_seen, response) => {
    waiting.push(response);
    return undefined;
  };
  return {
    isReached: () => until(() => waiting.length > 0),
    answer: (body: object) => say(waiting.pop(), body),
  };
};

const given = { token_type: "Bearer", access_token: "late", refresh_token: "late-refresh" };

describe("an access token", () => {
  test.each([
    ["an hour", {}],
    ["nobody knows how long", { expires_in: undefined }],
  ])(
    "that is due is refreshed once for 16 who ask at once in two processes; the new one lasts %s",
    async (_case, own) => {
      const { account, refreshToken } = await linkDue();
      const looked = countLooks();
      let answersCount = 0;
      provider.instead = (_seen, response) => {
        answersCount += 1;
        const answer = { ...given, access_token: "new", expires_in: 3_600, ...own };
        const all = until(() => looked.count > callersCount);
        void all.then(() => say(response, answer));
        return undefined;
      };
      const replies = await race((one) => one.getAccessToken(account));
      expect(replies.map(({ accessToken }) => accessToken)).toEqual(
        Array.from({ length: callersCount }, () => "new"),
      );
      expect(provider.refreshed()).toEqual([refreshToken]);
      expect(answersCount).toBe(1);
    },
  );

  test("that was refreshed between the look at it and the turn to refresh is not refreshed again", async () => {
    const { account } = await linkDue();
    const own = grounds[1]!.deps.providers.get("own")!;
    const { define } = own;
    const { promise: turn, resolve: giveTurn } = Promise.withResolvers<undefined>();
    let hasLooked = false;
    own.define = async () => {
      hasLooked = true;
      await turn;
      return define();
    };
    const late = grounds[1]!.getAccessToken(account);
    await until(() => hasLooked);
    const { accessToken } = await ground.getAccessToken(account);
    giveTurn(undefined);
    own.define = define;
    expect((await late).accessToken).toBe(accessToken);
    expect(provider.refreshed()).toHaveLength(1);
  });

  test.each([
    ["with 5000 ms left is given as it is", () => left(5_000), 0],
    ["with 4999 ms left is refreshed", () => left(4_999), 1],
    ["that has ended is refreshed", () => left(-1), 1],
    ["of which nobody knows how long it lasts is refreshed", () => undefined, 1],
  ])("%s", async (_case, accessTokenExpiresAt, refreshesCount) => {
    const { account } = await linkDue({ accessTokenExpiresAt: accessTokenExpiresAt() });
    const { accessToken } = await ground.getAccessToken(account);
    expect(provider.refreshed()).toHaveLength(refreshesCount);
    expect(accessToken === "the old one").toBe(refreshesCount === 0);
  });

  test("that has ended is given as it is where there is no refresh token, and nobody is asked", async () => {
    const { account } = await linkDue({ refreshToken: undefined });
    expect(await ground.getAccessToken(account)).toEqual({
      accessToken: "the old one",
      accessTokenExpiresAt: left(-1),
      scopes: [],
    });
    expect(provider.local.seen).toEqual([]);
  });

  test("that no secret opens any more is refreshed", async () => {
    const { account } = await linkDue({ accessTokenExpiresAt: left(60_000) });
    const accessToken = `v1.${"A".repeat(60)}`;
    await dbs[0]
      ?.updateTable("account")
      .set({ accessToken })
      .where("id", "=", account.id)
      .execute();
    expect(await ground.getAccessToken(account)).toMatchObject({
      accessToken: expect.stringMatching(/^access-token-/) as string,
    });
  });
});

describe("what is kept of a refresh", () => {
  test("is all that the provider gave, and what it did not give stays", async () => {
    const { account } = await linkDue({ idToken: "id", scopes: ["a", "b"] });
    provider.instead = () => ({ body: { access_token: "new", expires_in: 60 } });
    const kept = await ground.getAccessToken(account);
    const { refreshToken = "" } = openTokens(ground.deps, account);
    const expected = {
      accessToken: "new",
      accessTokenExpiresAt: left(60_000),
      refreshToken,
      idToken: "id",
      scopes: ["a", "b"],
    };
    expect(kept).toEqual({ ...expected, tokenType: expect.any(String) as string });
    expect(await tokensOf(account)).toEqual(expected);
  });

  // They are of this one access token; what a sign-in has been granted stays, and nothing that one adds meanwhile is lost.
  test("is the rotated refresh token with its end, and not the scopes, which the client is told", async () => {
    const { account } = await linkDue({ scopes: ["a"], refreshTokenExpiresAt: left(1) });
    const own = { scope: "b c", expires_in: "60", refresh_token_expires_in: 600 };
    provider.instead = () => ({ body: { ...given, ...own } });
    const reply = await ground.refreshToken(account);
    const expected = {
      accessToken: "late",
      accessTokenExpiresAt: left(60_000),
      refreshToken: "late-refresh",
      refreshTokenExpiresAt: left(600_000),
    };
    expect(reply).toMatchObject({ ...expected, scopes: ["b", "c"] });
    expect(await tokensOf(account)).toEqual({ ...expected, scopes: ["a"] });
  });

  test("of a token that says not how long it lasts is no end of the one before", async () => {
    const { account } = await linkDue();
    provider.instead = () => ({ body: given });
    expect((await ground.refreshToken(account)).accessTokenExpiresAt).toBeUndefined();
    expect(await tokensOf(account)).not.toHaveProperty("accessTokenExpiresAt");
  });

  test("without rotation the reply of a refresh tells no refresh token, and the old one rests", async () => {
    const { account, refreshToken } = await linkDue();
    provider.instead = () => ({ body: { ...given, refresh_token: undefined } });
    const reply = await ground.refreshToken(account);
    expect(Object.entries(reply).filter(([, value]) => value !== undefined)).toEqual([
      ["tokenType", "Bearer"],
      ["accessToken", "late"],
    ]);
    expect(await tokensOf(account)).toMatchObject({ refreshToken });
  });
});

// A provider that sees a refresh token twice takes it for stolen and ends the grant.
test("16 refreshes at once in two processes go one after the other, and none sends a used refresh token", async () => {
  const { account } = await linkDue();
  const replies = await race((one) => one.refreshToken(account));
  const rotated = replies.map(({ refreshToken }) => refreshToken);
  expect(new Set(rotated).size).toBe(callersCount);
  expect([provider.refreshed().length, provider.reusedCount]).toEqual([callersCount, 0]);
  const { refreshToken } = (await tokensOf(account)) ?? {};
  expect(rotated).toContain(refreshToken);
  expect(provider.refreshed()).not.toContain(refreshToken);
});

describe("whoever refreshes", () => {
  test("and dies is waited for until its lease ends, and no longer", async () => {
    const { account } = await linkDue();
    const { promise: forever, resolve: atLast } = Promise.withResolvers<undefined>();
    let isHeld = false;
    const dying = withTokenLease(ground.deps, account.id, () => {
      isHeld = true;
      return forever;
    });
    await until(() => isHeld);
    clock.advance(leaseMilliseconds);
    await expect(ground.getAccessToken(account)).rejects.toThrow(
      "Failed to get a valid access token",
    );
    expect(provider.refreshed()).toEqual([]);
    clock.advance(1);
    expect(await ground.getAccessToken(account)).toHaveProperty("accessToken");
    expect(provider.refreshed()).toHaveLength(1);
    atLast(undefined);
    await dying;
  });

  test("and is held up beyond its lease loses nothing that the provider gave", async () => {
    const { account, refreshToken } = await linkDue();
    const held = holdUp();
    const late = grounds[1]?.refreshToken(account);
    await held.isReached();
    clock.advance(leaseMilliseconds + 1);
    // The provider has given a new one for it already.
    provider.instead = () => ({ status: 400, body: { error: "invalid_grant" } });
    await expect(ground.refreshToken(account)).rejects.toThrow("Failed to refresh access token");
    held.answer(given);
    expect(await late).toMatchObject({ accessToken: "late" });
    expect(await tokensOf(account)).toMatchObject({ refreshToken: "late-refresh" });
    expect(provider.refreshed()).toEqual([refreshToken, refreshToken]);
  });

  test("does not write over what a sign-in has brought meanwhile", async () => {
    const { account } = await linkDue();
    const held = holdUp();
    const late = ground.getAccessToken(account);
    await held.isReached();
    await renewAccount(ground.deps, account, { accessToken: "newest", refreshToken: "newest" });
    held.answer(given);
    expect(await late).toMatchObject({ accessToken: "late" });
    expect(await tokensOf(account)).toMatchObject({
      accessToken: "newest",
      refreshToken: "newest",
    });
  });

  test("leaves the way free for the next", async () => {
    const { account } = await linkDue();
    await ground.refreshToken(account);
    const leases = dbs[0]?.selectFrom("tokenRefresh").selectAll();
    expect(await leases?.where("accountId", "=", account.id).execute()).toEqual([]);
  });
});
