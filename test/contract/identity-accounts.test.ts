import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { Rows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { impersonateInRows, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const dayMs = 86_400_000;
const done = { status: 200, body: { status: true }, cookies: [] };
const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const notFound = errorResponse(400, "ACCOUNT_NOT_FOUND", "Account not found");
const isLast = errorResponse(
  400,
  "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT",
  "You can't unlink your last account",
);

/** How much older the sessions created now are made, in seconds. */
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

/** Requests of the tests to a system. */
const asking = (system: () => System, rows: () => Rows) => ({
  list: async (browser: BrowserLike) =>
    readResponse<Account[]>(await browser.get("/list-accounts")),
  unlink: async (browser: BrowserLike, body: unknown) =>
    readResponse(await browser.post("/unlink-account", body)),
  /** Adds another account to a user, newer than the existing ones. */
  link: (userId: string, providerId: string, accountId = `${providerId}-of-${userId}`) =>
    rows().query(
      `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
       values ($1, $2, $3, $1, clock_timestamp(), clock_timestamp())`,
      accountId,
      userId,
      providerId,
    ),
  accountsOf: async (userId: string) =>
    (
      await rows().query(
        "select provider_id from identity.account where user_id = $1 order by created_at",
        userId,
      )
    ).map(({ provider_id }) => provider_id),
  audited: (userId: string) =>
    rows().query(
      "select actor_id, before from identity.audit where action = 'account.unlinked' and subject_id = $1",
      userId,
    ),
  anonymous: () => createBrowserLike(system().url),
});

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, config });
  const { list, unlink, link, accountsOf, audited, anonymous } = asking(
    () => system,
    () => rows,
  );

  describe("list-accounts", () => {
    test("returns the caller's accounts, oldest first, without password or token", async () => {
      const { browser, user } = await signUp(system);
      const stranger = await signUp(system);
      await link(user.id, "github");
      await link(stranger.user.id, "gitlab");
      const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
      const common = { userId: user.id, createdAt: isoTime, updatedAt: isoTime, scopes: [] };
      const { status, body, cookies } = await list(browser);
      expect([status, cookies]).toEqual([200, []]);
      expect(body).toStrictEqual([
        {
          ...common,
          id: expect.any(String),
          provider: "credential",
          providerId: "credential",
          accountId: user.id,
        },
        {
          ...common,
          id: `github-of-${user.id}`,
          provider: "github",
          providerId: "github",
          accountId: `github-of-${user.id}`,
        },
      ]);
    });

    test.each([
      ["a,b", ["a", "b"]],
      ["a", ["a"]],
      ["", []],
    ])("the scope %j is returned as %j", async (scope, scopes) => {
      const { browser, user } = await signUp(system);
      await link(user.id, "github");
      await rows.query(
        "update identity.account set scope = $1 where id = $2",
        scope,
        `github-of-${user.id}`,
      );
      expect((await list(browser)).body).toMatchObject([{ scopes: [] }, { scopes }]);
    });

    test("returns at most a hundred accounts", async () => {
      const { browser, user } = await signUp(system);
      for (let index = 0; index < 105; index += 1)
        await link(user.id, "github", `${user.id}-${index}`);
      const { body } = await list(browser);
      expect([body.length, body[0]?.provider]).toEqual([100, "credential"]);
    });

    test("rejects callers without a session", async () => {
      expect(await list(anonymous())).toEqual(unauthorized);
    });
  });

  describe("unlink-account", () => {
    test("deletes one of two, keeps the other, and records which was deleted", async () => {
      const { browser, user } = await signUp(system);
      await link(user.id, "github");
      expect(await unlink(browser, { providerId: "credential" })).toEqual(done);
      expect((await list(browser)).body.map(({ provider }) => provider)).toEqual(["github"]);
      expect(await audited(user.id)).toEqual([
        {
          actor_id: user.id,
          before: { id: expect.any(String), providerId: "credential" },
        },
      ]);
    });

    test("deletes the named one of several at one provider, and the oldest without a name", async () => {
      const { browser, user } = await signUp(system);
      for (const name of ["a", "b", "c"]) await link(user.id, "github", `${name}-${user.id}`);
      const github = { providerId: "github" };
      expect(await unlink(browser, { ...github, accountId: `b-${user.id}` })).toEqual(done);
      expect(await unlink(browser, github)).toEqual(done);
      expect((await list(browser)).body.map(({ accountId }) => accountId)).toEqual([
        user.id,
        `c-${user.id}`,
      ]);
    });

    test("an account's own id names it without its provider, and its id at the provider does not", async () => {
      const { browser, user } = await signUp(system);
      await link(user.id, "github");
      await rows.query(
        "update identity.account set account_id = $1 where user_id = $2 and provider_id = 'github'",
        `elsewhere-${user.id}`,
        user.id,
      );
      expect(await unlink(browser, { accountId: `elsewhere-${user.id}` })).toEqual(notFound);
      expect(await unlink(browser, { accountId: `github-of-${user.id}` })).toEqual(done);
      expect((await list(browser)).body).toHaveLength(1);
    });

    test("an account's own id takes precedence over an equal id of its provider", async () => {
      const { browser, user } = await signUp(system);
      await link(user.id, "github");
      const named = `named-${user.id}`;
      await rows.query(
        `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
         values ($1, $2, 'github', $3, clock_timestamp(), clock_timestamp())`,
        named,
        user.id,
        `elsewhere-${user.id}`,
      );
      await rows.query(
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

    test("keeps the last account", async () => {
      const { browser, user } = await signUp(system);
      expect(await unlink(browser, { providerId: "credential" })).toEqual(isLast);
      expect(await accountsOf(user.id)).toEqual(["credential"]);
    });

    test("reports the last account before it looks up the named one", async () => {
      const { browser } = await signUp(system);
      expect(await unlink(browser, { providerId: "github" })).toEqual(isLast);
    });

    test.each([
      { providerId: "gitlab" },
      { providerId: "" },
      { providerId: "github", accountId: "another" },
      { providerId: "github", accountId: "" },
    ])("reports an unknown account as not found: %j", async (body) => {
      const { browser, user } = await signUp(system);
      await link(user.id, "github");
      expect(await unlink(browser, body)).toEqual(notFound);
      expect(await accountsOf(user.id)).toEqual(["credential", "github"]);
    });

    // An attacker who knows the id of another user's account must not remove that user's sign-in method.
    test("another user's account is not found, and stays", async () => {
      const [ada, mallory] = [await signUp(system), await signUp(system)];
      await link(ada.user.id, "github");
      await link(mallory.user.id, "gitlab");
      const accountId = `github-of-${ada.user.id}`;
      expect(await unlink(mallory.browser, { providerId: "github", accountId })).toEqual(notFound);
      expect(await accountsOf(ada.user.id)).toEqual(["credential", "github"]);
    });

    test.each([{}, { providerId: 1 }, { providerId: "github", accountId: null }, []])(
      "rejects the body %j before authentication",
      async (body) => {
        const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
        expect(await unlink(anonymous(), body)).toMatchObject(expected);
        expect(await unlink((await signUp(system)).browser, body)).toMatchObject(expected);
      },
    );

    test("rejects callers without a session", async () => {
      expect(await unlink(anonymous(), { providerId: "github" })).toEqual(unauthorized);
    });

    test("rejects a session that was not extended for a day", async () => {
      bornBefore = dayMs;
      const { browser, user } = await signUp(system);
      bornBefore = 0;
      await link(user.id, "github");
      const response = await browser.post("/unlink-account?disableRefresh=true", {
        providerId: "github",
      });
      expect(await readResponse(response)).toEqual(
        errorResponse(403, "SESSION_IS_NOT_FRESH", "Session is not fresh"),
      );
      expect(await accountsOf(user.id)).toEqual(["credential", "github"]);
    });

    // Two concurrent requests that both see two accounts would leave a user without a sign-in method.
    test("one of 16 concurrent unlinks of two accounts succeeds, and one account remains", async () => {
      const { browser, user } = await signUp(system);
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
      test("an admin who impersonates a user removes no sign-in method", async () => {
        const { browser, user } = await signUp(system);
        await link(user.id, "github");
        await impersonateInRows(system, rows, user.id);
        const answer = await unlink(browser, { providerId: "github" });
        expect(answer).toEqual(errorResponse(403, "FORBIDDEN", "Forbidden"));
        expect(await accountsOf(user.id)).toHaveLength(2);
      });
  });
});

describe("with account.accountLinking.allowUnlinkingAll", () => {
  const { system, rows } = useSystem({
    stores: "postgres",
    config: { ...config, account: { accountLinking: { allowUnlinkingAll: true } } },
  });
  const { unlink, list } = asking(
    () => system,
    () => rows,
  );

  test("deletes the last account too, and the session continues", async () => {
    const { browser } = await signUp(system);
    expect(await unlink(browser, { providerId: "github" })).toEqual(notFound);
    expect(await unlink(browser, { providerId: "credential" })).toEqual(done);
    expect((await list(browser)).body).toEqual([]);
    expect(await unlink(browser, { providerId: "credential" })).toEqual(notFound);
  });
});
