import type { ServerResponse } from "node:http";
import { createTestClock, expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { openIdentityDatabase } from "../db/test-identity.fixture.ts";
import { openTokens } from "./account-tokens.ts";
import type { TokenAccount } from "../rows/accounts.ts";
import { renewAccount } from "./renew-account.ts";
import {
  openTokenFixture,
  startTokenProvider,
  type TokenFixture,
} from "./token-provider.fixture.ts";
import { withTokenLease } from "./refresh-account.ts";

expectNoLeaks("file");

const clock = createTestClock();
const leaseMilliseconds = 15_000;
const callersCount = 16;

const { db, connect } = await openIdentityDatabase();
const provider = await startTokenProvider();
// Each stands for a process.
const openFixture = (own: typeof db) => openTokenFixture({ db: own, clock: clock.now, provider });
const fixture = openFixture(db);
const fixtures = [fixture, openFixture(connect())] as const;
afterAll(async () => {
  await Promise.all(fixtures.map(({ close }) => close()));
  await provider.local.close();
});
afterEach(() => {
  provider.instead = undefined;
  provider.local.seen = [];
  provider.reusedCount = 0;
});

const inMilliseconds = (milliseconds: number) => new Date(clock.now() + milliseconds);

/** An account whose access token has expired. */
const linkDue = async (tokens: object = {}) => {
  const refreshToken = provider.grant();
  const ended = {
    accessToken: "the old one",
    refreshToken,
    accessTokenExpiresAt: inMilliseconds(-1),
  };
  return { refreshToken, account: await fixture.link({ ...ended, ...tokens }) };
};

const tokensOf = async (account: TokenAccount) => {
  const row = await fixture.find(account);
  return row && openTokens(fixture.deps, row);
};

/** Runs many concurrent calls, spread over the processes. */
const race = <T>(act: (one: TokenFixture) => Promise<T>): Promise<T[]> =>
  Promise.all(
    Array.from({ length: callersCount }, (_, index) => act(fixtures[index % 2] ?? fixture)),
  );

/** Counts how often a process finds that a token is due, plus one for each refresh. */
const countLooks = () => {
  const looked = { count: 0 };
  for (const { deps } of fixtures) {
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

/** Blocks the refresh until the test provides the provider's response. */
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

const lateAnswer = { token_type: "Bearer", access_token: "late", refresh_token: "late-refresh" };

describe("an access token", () => {
  test.each([
    ["an hour", {}],
    ["an unknown time", { expires_in: undefined }],
  ])(
    "that is due is refreshed once for 16 concurrent calls in two processes; the new one lasts %s",
    async (_case, own) => {
      const { account, refreshToken } = await linkDue();
      const looked = countLooks();
      let answersCount = 0;
      provider.instead = (_seen, response) => {
        answersCount += 1;
        const answer = { ...lateAnswer, access_token: "new", expires_in: 3_600, ...own };
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

  test("that was refreshed between the first read and the lease is not refreshed again", async () => {
    const { account } = await linkDue();
    const own = fixtures[1].deps.providers.get("own")!;
    const { define } = own;
    const { promise: turn, resolve: giveTurn } = Promise.withResolvers<undefined>();
    let hasLooked = false;
    own.define = async () => {
      hasLooked = true;
      await turn;
      return define();
    };
    const late = fixtures[1].getAccessToken(account);
    await until(() => hasLooked);
    const { accessToken } = await fixture.getAccessToken(account);
    giveTurn(undefined);
    own.define = define;
    expect((await late).accessToken).toBe(accessToken);
    expect(provider.refreshed()).toHaveLength(1);
  });

  test.each([
    ["with 5000 ms left is returned unchanged", () => inMilliseconds(5_000), 0],
    ["with 4999 ms left is refreshed", () => inMilliseconds(4_999), 1],
    ["that has expired is refreshed", () => inMilliseconds(-1), 1],
    ["with an unknown lifetime is refreshed", () => undefined, 1],
  ])("%s", async (_case, accessTokenExpiresAt, refreshesCount) => {
    const { account } = await linkDue({ accessTokenExpiresAt: accessTokenExpiresAt() });
    const { accessToken } = await fixture.getAccessToken(account);
    expect(provider.refreshed()).toHaveLength(refreshesCount);
    expect(accessToken === "the old one").toBe(refreshesCount === 0);
  });

  test("that has expired is returned without a provider call if there is no refresh token", async () => {
    const { account } = await linkDue({ refreshToken: undefined });
    expect(await fixture.getAccessToken(account)).toEqual({
      accessToken: "the old one",
      accessTokenExpiresAt: inMilliseconds(-1),
      scopes: [],
    });
    expect(provider.local.seen).toEqual([]);
  });

  test("that no secret can open is refreshed", async () => {
    const { account } = await linkDue({ accessTokenExpiresAt: inMilliseconds(60_000) });
    const accessToken = `v1.${"A".repeat(60)}`;
    await db.updateTable("account").set({ accessToken }).where("id", "=", account.id).execute();
    expect(await fixture.getAccessToken(account)).toMatchObject({
      accessToken: expect.stringMatching(/^access-token-/) as string,
    });
  });
});

describe("a refresh stores", () => {
  test("everything that the provider returned and keeps values that it omitted", async () => {
    const { account } = await linkDue({ idToken: "id", scopes: ["a", "b"] });
    provider.instead = () => ({ body: { access_token: "new", expires_in: 60 } });
    const refreshed = await fixture.getAccessToken(account);
    const { refreshToken = "" } = openTokens(fixture.deps, account);
    const expected = {
      accessToken: "new",
      accessTokenExpiresAt: inMilliseconds(60_000),
      refreshToken,
      idToken: "id",
      scopes: ["a", "b"],
    };
    expect(refreshed).toEqual({ ...expected, tokenType: expect.any(String) as string });
    expect(await tokensOf(account)).toEqual(expected);
  });

  // The scopes describe this one access token. The stored scopes stay, so none that a concurrent sign-in adds is lost.
  test("the rotated refresh token with its expiry, but not the scopes, which only the client receives", async () => {
    const { account } = await linkDue({ scopes: ["a"], refreshTokenExpiresAt: inMilliseconds(1) });
    const own = { scope: "b c", expires_in: "60", refresh_token_expires_in: 600 };
    provider.instead = () => ({ body: { ...lateAnswer, ...own } });
    const reply = await fixture.refreshToken(account);
    const expected = {
      accessToken: "late",
      accessTokenExpiresAt: inMilliseconds(60_000),
      refreshToken: "late-refresh",
      refreshTokenExpiresAt: inMilliseconds(600_000),
    };
    expect(reply).toMatchObject({ ...expected, scopes: ["b", "c"] });
    expect(await tokensOf(account)).toEqual({ ...expected, scopes: ["a"] });
  });

  test("no old expiry for a token without a lifetime", async () => {
    const { account } = await linkDue();
    provider.instead = () => ({ body: lateAnswer });
    expect((await fixture.refreshToken(account)).accessTokenExpiresAt).toBeUndefined();
    expect(await tokensOf(account)).not.toHaveProperty("accessTokenExpiresAt");
  });

  test("the old refresh token without rotation, and its reply contains none", async () => {
    const { account, refreshToken } = await linkDue();
    provider.instead = () => ({ body: { ...lateAnswer, refresh_token: undefined } });
    const reply = await fixture.refreshToken(account);
    expect(Object.entries(reply).filter(([, value]) => value !== undefined)).toEqual([
      ["tokenType", "Bearer"],
      ["accessToken", "late"],
    ]);
    expect(await tokensOf(account)).toMatchObject({ refreshToken });
  });
});

// Such a provider treats a reused refresh token as stolen and revokes the grant.
test("runs 16 refreshes in two processes one after the other, and none sends a used refresh token", async () => {
  const { account } = await linkDue();
  const replies = await race((one) => one.refreshToken(account));
  const rotated = replies.map(({ refreshToken }) => refreshToken);
  expect(new Set(rotated).size).toBe(callersCount);
  expect([provider.refreshed().length, provider.reusedCount]).toEqual([callersCount, 0]);
  const { refreshToken } = (await tokensOf(account)) ?? {};
  expect(rotated).toContain(refreshToken);
  expect(provider.refreshed()).not.toContain(refreshToken);
});

describe("a refresh", () => {
  test("that dies blocks others until its lease ends, and no longer", async () => {
    const { account } = await linkDue();
    const { promise: forever, resolve: atLast } = Promise.withResolvers<undefined>();
    let isHeld = false;
    const dying = withTokenLease(fixture.deps, account.id, () => {
      isHeld = true;
      return forever;
    });
    await until(() => isHeld);
    clock.advance(leaseMilliseconds);
    await expect(fixture.getAccessToken(account)).rejects.toThrow(
      "Failed to get a valid access token",
    );
    expect(provider.refreshed()).toEqual([]);
    clock.advance(1);
    expect(await fixture.getAccessToken(account)).toHaveProperty("accessToken");
    expect(provider.refreshed()).toHaveLength(1);
    atLast(undefined);
    await dying;
  });

  test("that is blocked beyond its lease loses no token of the provider", async () => {
    const { account, refreshToken } = await linkDue();
    const pause = holdUp();
    const late = fixtures[1]?.refreshToken(account);
    await pause.isReached();
    clock.advance(leaseMilliseconds + 1);
    // The provider has already issued a new token for it.
    provider.instead = () => ({ status: 400, body: { error: "invalid_grant" } });
    await expect(fixture.refreshToken(account)).rejects.toThrow("Failed to refresh access token");
    pause.answer(lateAnswer);
    expect(await late).toMatchObject({ accessToken: "late" });
    expect(await tokensOf(account)).toMatchObject({ refreshToken: "late-refresh" });
    expect(provider.refreshed()).toEqual([refreshToken, refreshToken]);
  });

  test("does not overwrite the tokens of a concurrent sign-in", async () => {
    const { account } = await linkDue();
    const pause = holdUp();
    const late = fixture.getAccessToken(account);
    await pause.isReached();
    await renewAccount(fixture.deps, account, { accessToken: "newest", refreshToken: "newest" });
    pause.answer(lateAnswer);
    expect(await late).toMatchObject({ accessToken: "late" });
    expect(await tokensOf(account)).toMatchObject({
      accessToken: "newest",
      refreshToken: "newest",
    });
  });

  test("releases the lease for the next one", async () => {
    const { account } = await linkDue();
    await fixture.refreshToken(account);
    const leases = db.selectFrom("tokenRefresh").selectAll();
    expect(await leases.where("accountId", "=", account.id).execute()).toEqual([]);
  });
});
