import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { openRows, refusal, type Rows, seen, signUp, takeOver } from "./identity-people.ts";
import { type Stack, startStack } from "../stack.ts";

expectNoLeaks("file");

const dayMs = 86_400_000;
const done = { status: 200, body: { status: true }, cookies: [] };
const unauthorized = refusal(401, "UNAUTHORIZED", "Unauthorized");
const notFound = refusal(400, "ACCOUNT_NOT_FOUND", "Account not found");
const isLast = refusal(
  400,
  "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT",
  "You can't unlink your last account",
);

/** By how much the sessions that start now are older than they say. */
let bornBefore = 0;
afterEach(() => {
  bornBefore = 0;
});

const config: LatchkeyConfig = {
  databaseHooks: {
    session: {
      create: {
        before: ({ createdAt, expiresAt }) => {
          const born = new Date(createdAt.getTime() - bornBefore);
          return { data: { createdAt: born, updatedAt: born, expiresAt } };
        },
      },
    },
  },
};

interface Account {
  id: string;
  provider: string;
  accountId: string;
}

/** What the tests of a stack ask it. */
const asking = (stack: () => Stack, rows: () => Rows) => ({
  list: async (browser: BrowserLike) => seen<Account[]>(await browser.get("/list-accounts")),
  unlink: async (browser: BrowserLike, body: unknown) =>
    seen(await browser.post("/unlink-account", body)),
  /** Another way in of somebody, later than those before. */
  link: (userId: string, providerId: string, accountId = `${providerId}-of-${userId}`) =>
    rows().ask(
      `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
       values ($1, $2, $3, $1, clock_timestamp(), clock_timestamp())`,
      accountId,
      userId,
      providerId,
    ),
  accountsOf: async (userId: string) =>
    (
      await rows().ask(
        "select provider_id from identity.account where user_id = $1 order by created_at",
        userId,
      )
    ).map(({ provider_id }) => provider_id),
  audited: (userId: string) =>
    rows().ask(
      "select actor_id, before from identity.audit where action = 'account.unlinked' and subject_id = $1",
      userId,
    ),
  anonymous: () => createBrowserLike(stack().url),
});

describe.each(["postgres", "redis"] as const)("with sessions in %s", (stores) => {
  let stack: Stack;
  let rows: Rows;
  beforeAll(async () => {
    stack = await startStack({ stores, config });
    rows = openRows(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  const { list, unlink, link, accountsOf, audited, anonymous } = asking(
    () => stack,
    () => rows,
  );

  describe("list-accounts", () => {
    test("the caller's accounts are shown, oldest first, without password or token", async () => {
      const { browser, user } = await signUp(stack);
      const stranger = await signUp(stack);
      await link(user.id, "github");
      await link(stranger.user.id, "gitlab");
      const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
      const common = { createdAt: isoTime, updatedAt: isoTime, scopes: [] };
      const { status, body, cookies } = await list(browser);
      expect([status, cookies]).toEqual([200, []]);
      expect(body).toStrictEqual([
        { ...common, id: expect.any(String), provider: "credential", accountId: user.id },
        {
          ...common,
          id: `github-of-${user.id}`,
          provider: "github",
          accountId: `github-of-${user.id}`,
        },
      ]);
    });

    test.each([
      ["a,b", ["a", "b"]],
      ["a", ["a"]],
      ["", []],
    ])("the scope %j is shown as %j", async (scope, scopes) => {
      const { browser, user } = await signUp(stack);
      await link(user.id, "github");
      await rows.ask(
        "update identity.account set scope = $1 where id = $2",
        scope,
        `github-of-${user.id}`,
      );
      expect((await list(browser)).body).toMatchObject([{ scopes: [] }, { scopes }]);
    });

    test("no more than a hundred are shown", async () => {
      const { browser, user } = await signUp(stack);
      for (let index = 0; index < 105; index += 1)
        await link(user.id, "github", `${user.id}-${index}`);
      const { body } = await list(browser);
      expect([body.length, body[0]?.provider]).toEqual([100, "credential"]);
    });

    test("strangers are refused", async () => {
      expect(await list(anonymous())).toEqual(unauthorized);
    });
  });

  describe("unlink-account", () => {
    test("one of two goes, the other stays, and it is known what went", async () => {
      const { browser, user } = await signUp(stack);
      await link(user.id, "github");
      expect(await unlink(browser, { providerId: "credential" })).toEqual(done);
      expect((await list(browser)).body.map(({ provider }) => provider)).toEqual(["github"]);
      expect(await audited(user.id)).toEqual([
        {
          actor_id: user.id,
          before: { id: expect.any(String), providerId: "credential", accountId: user.id },
        },
      ]);
    });

    test("of several at one provider the named one goes, and without a name the oldest", async () => {
      const { browser, user } = await signUp(stack);
      for (const name of ["a", "b", "c"]) await link(user.id, "github", `${name}-${user.id}`);
      const github = { providerId: "github" };
      expect(await unlink(browser, { ...github, accountId: `b-${user.id}` })).toEqual(done);
      expect(await unlink(browser, github)).toEqual(done);
      expect((await list(browser)).body.map(({ accountId }) => accountId)).toEqual([
        user.id,
        `c-${user.id}`,
      ]);
    });

    test("the account of that id goes before one that its provider calls so", async () => {
      const { browser, user } = await signUp(stack);
      await link(user.id, "github");
      const named = `named-${user.id}`;
      await rows.ask(
        `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
         values ($1, $2, 'github', $3, clock_timestamp(), clock_timestamp())`,
        named,
        user.id,
        `elsewhere-${user.id}`,
      );
      await rows.ask(
        "update identity.account set account_id = $1 where id = $2",
        named,
        `github-of-${user.id}`,
      );
      const body = { providerId: "github", accountId: named };
      expect(await unlink(browser, body)).toEqual(done);
      expect((await list(browser)).body.map(({ id }) => id)).toContain(`github-of-${user.id}`);
      expect(await unlink(browser, body)).toEqual(done);
      expect(await unlink(browser, { providerId: "github" })).toEqual(isLast);
    });

    test("the last account stays", async () => {
      const { browser, user } = await signUp(stack);
      expect(await unlink(browser, { providerId: "credential" })).toEqual(isLast);
      expect(await accountsOf(user.id)).toEqual(["credential"]);
    });

    test("who has one account is told so before it is looked for", async () => {
      const { browser } = await signUp(stack);
      expect(await unlink(browser, { providerId: "github" })).toEqual(isLast);
    });

    test.each([
      { providerId: "gitlab" },
      { providerId: "" },
      { providerId: "github", accountId: "another" },
      { providerId: "github", accountId: "" },
    ])("an account that the caller does not have is not found: %j", async (body) => {
      const { browser, user } = await signUp(stack);
      await link(user.id, "github");
      expect(await unlink(browser, body)).toEqual(notFound);
      expect(await accountsOf(user.id)).toEqual(["credential", "github"]);
    });

    // Whoever knows the id of another user's account must not take their way in.
    test("another user's account is not found, and stays", async () => {
      const [ada, mallory] = [await signUp(stack), await signUp(stack)];
      await link(ada.user.id, "github");
      await link(mallory.user.id, "gitlab");
      const accountId = `github-of-${ada.user.id}`;
      expect(await unlink(mallory.browser, { providerId: "github", accountId })).toEqual(notFound);
      expect(await accountsOf(ada.user.id)).toEqual(["credential", "github"]);
    });

    test.each([{}, { providerId: 1 }, { providerId: "github", accountId: null }, []])(
      "the body %j is refused before anybody is asked who they are",
      async (body) => {
        const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
        expect(await unlink(anonymous(), body)).toMatchObject(expected);
        expect(await unlink((await signUp(stack)).browser, body)).toMatchObject(expected);
      },
    );

    test("strangers are refused", async () => {
      expect(await unlink(anonymous(), { providerId: "github" })).toEqual(unauthorized);
    });

    test("a session that was not extended for a day is not enough", async () => {
      bornBefore = dayMs;
      const { browser, user } = await signUp(stack);
      bornBefore = 0;
      await link(user.id, "github");
      const response = await browser.post("/unlink-account?disableRefresh=true", {
        providerId: "github",
      });
      expect(await seen(response)).toEqual(
        refusal(403, "SESSION_IS_NOT_FRESH", "Session is not fresh"),
      );
      expect(await accountsOf(user.id)).toEqual(["credential", "github"]);
    });

    // Two requests that both see two accounts would leave a user without a way in.
    test("of 16 unlinks of two accounts at once one happens, and one account stays", async () => {
      const { browser, user } = await signUp(stack);
      await link(user.id, "github");
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          unlink(browser, { providerId: index % 2 === 0 ? "credential" : "github" }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toEqual([done]);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toEqual(isLast);
      expect(await accountsOf(user.id)).toHaveLength(1);
      expect(await audited(user.id)).toHaveLength(1);
    });

    if (stores === "postgres")
      test("an admin who acts as somebody else takes no way in from them", async () => {
        const { browser, user } = await signUp(stack);
        await link(user.id, "github");
        await takeOver(stack, rows, user.id);
        const answer = await unlink(browser, { providerId: "github" });
        expect(answer).toEqual(refusal(403, "FORBIDDEN", "Forbidden"));
        expect(await accountsOf(user.id)).toHaveLength(2);
      });
  });
});

describe("with account.accountLinking.allowUnlinkingAll", () => {
  let stack: Stack;
  let rows: Rows;
  beforeAll(async () => {
    stack = await startStack({
      stores: "postgres",
      config: { ...config, account: { accountLinking: { allowUnlinkingAll: true } } },
    });
    rows = openRows(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  const { unlink, list } = asking(
    () => stack,
    () => rows,
  );

  test("the last account goes too, and the session goes on", async () => {
    const { browser } = await signUp(stack);
    expect(await unlink(browser, { providerId: "github" })).toEqual(notFound);
    expect(await unlink(browser, { providerId: "credential" })).toEqual(done);
    expect((await list(browser)).body).toEqual([]);
    expect(await unlink(browser, { providerId: "credential" })).toEqual(notFound);
  });
});
