import { type HookContext, type LatchkeyConfig, WireError } from "@latchkey/contracts";
import { createSecretRing, signVerificationToken } from "@latchkey/crypto";
import { type Bus, createBus } from "@latchkey/service-kit/bus";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { refuseCommonPasswords } from "../../docs/examples/refuse-common-passwords.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password } from "../harness/users.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const cookieAttributes = "Path=/; HttpOnly; SameSite=Lax";
const clearing = [
  `auth.session_token=; Max-Age=0; ${cookieAttributes}`,
  `auth.session_data=; Max-Age=0; ${cookieAttributes}`,
  `auth.dont_remember=; Max-Age=0; ${cookieAttributes}`,
];
const dayMs = 86_400_000;

type Hooks = NonNullable<LatchkeyConfig["hooks"]>;
type DatabaseHooks = NonNullable<LatchkeyConfig["databaseHooks"]>;
type RowHooks<Row> = { before?: (row: Row) => unknown; after?: (row: Row) => unknown };
type RowOf<H> = H extends { before?: ((row: infer Row) => unknown) | undefined } ? Row : never;
type Create<Name extends "user" | "session" | "account" | "verification"> = RowHooks<
  RowOf<NonNullable<NonNullable<DatabaseHooks[Name]>["create"]>>
>;

/** The application's hooks, reset after each test. */
interface Hooked {
  before?: NonNullable<Hooks["before"]>;
  after?: NonNullable<Hooks["after"]>;
  userCreate?: Create<"user">;
  userUpdate?: Create<"user">;
  sessionCreate?: Create<"session">;
  sessionUpdate?: Create<"session">;
  accountCreate?: Create<"account">;
  accountUpdate?: Create<"account">;
  verificationCreate?: Create<"verification">;
}
let hooked: Hooked = {};
afterEach(() => {
  hooked = {};
});

/** Passes the hooks of one kind of row on to those of the test. */
const rowHooks = (name: Exclude<keyof Hooked, "before" | "after">) => ({
  // The option's own type determines the rows, which are only passed on here.
  before: (row: unknown) => hooked[name]?.before?.(row as never) as undefined,
  after: (row: unknown) => hooked[name]?.after?.(row as never),
});

const config: LatchkeyConfig = {
  logger: { disabled: true },
  user: { deleteUser: { enabled: true } },
  emailAndPassword: {
    password: {
      hash: async (text) => `test ${text}`,
      verify: async ({ hash, password: text }) => hash === `test ${text}`,
    },
  },
  hooks: {
    before: (context) => hooked.before?.(context),
    after: (context) => hooked.after?.(context),
  },
  databaseHooks: {
    user: { create: rowHooks("userCreate"), update: rowHooks("userUpdate") },
    session: { create: rowHooks("sessionCreate"), update: rowHooks("sessionUpdate") },
    account: { create: rowHooks("accountCreate"), update: rowHooks("accountUpdate") },
    verification: { create: rowHooks("verificationCreate") },
  },
};

interface Got {
  session: {
    id: string;
    token: string;
    userId: string;
    userAgent: string;
    expiresAt: string;
    createdAt: string;
  };
  user: { id: string; name: string; email: string; emailVerified: boolean };
}

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  let bus: Bus;
  const { system, rows } = useSystem({ stores, config });
  beforeAll(async () => {
    bus = await createBus(system.settings, createLogger({ service: "test", level: "silent" }));
  });
  afterAll(async () => {
    await bus.close();
  });

  const post = (path: string, body: unknown, browser = createBrowserLike(system.url)) =>
    browser.post(path, body);
  const signUp = async (email: string, browser?: BrowserLike) =>
    readResponse<{ token: string; user: Got["user"] }>(
      await post("/sign-up/email", { name: "Ada", email, password }, browser),
    );
  const signIn = async (email: string, browser?: BrowserLike) =>
    readResponse<{ token: string }>(await post("/sign-in/email", { email, password }, browser));
  const get = async (browser: BrowserLike) =>
    readResponse<Got | null>(await browser.get("/get-session"));
  const newUser = async () => {
    const [email, browser] = [newEmail(), createBrowserLike(system.url)];
    const { status, body } = await signUp(email, browser);
    expect(status).toBe(200);
    return { email, browser, ...body };
  };
  const verify = async (email: string) => {
    const token = await signVerificationToken(
      ring,
      { email },
      { now: new Date(), expiresInSeconds: 60 },
    );
    return fetch(`${system.url}/verify-email?token=${token}`);
  };
  const countOf = async (table: "user" | "account" | "session", column: string, value: string) =>
    (await rows.query(`select 1 from identity."${table}" where ${column} = $1`, value)).length;

  /** Whether every recorded change of a user has reached the user snapshots in sessions. */
  const copiesAreRenewed = async () => {
    const events = await rows.query("select id from identity.outbox where name = 'user.updated'");
    const ids = events.map(({ id }) => String(id));
    const states = await bus.states("identity", ids);
    return ids.every((id) => states.get(id) === "done");
  };

  describe("hooks.before", () => {
    test("receives the request and its user", async () => {
      const contexts: HookContext[] = [];
      hooked = { before: (context) => contexts.push(context) };
      const body = { name: "Ada", email: newEmail(), password, more: [1] };
      const browser = createBrowserLike(system.url);
      await browser.post("/sign-up/email", body, { "user-agent": "A browser/1.0" });
      await browser.get("/get-session?disableRefresh=true", { "user-agent": "A browser/1.0" });
      const common = { address: "127.0.0.1", userAgent: "A browser/1.0" };
      expect(contexts).toEqual([
        { path: "/sign-up/email", method: "POST", query: {}, body, ...common },
        {
          path: "/get-session",
          method: "GET",
          query: { disableRefresh: "true" },
          body: undefined,
          ...common,
        },
      ]);
    });

    test("receives how the user was authenticated, where an operation needs a session", async () => {
      const calls: [string, HookContext["authentication"]][] = [];
      hooked = {
        before: ({ path, authentication }) => calls.push([`before ${path}`, authentication]),
        after: ({ path, authentication }) => {
          calls.push([`after ${path}`, authentication]);
        },
      };
      const browser = createBrowserLike(system.url);
      await browser.get("/list-sessions");
      await browser.post("/sign-up/email", { name: "Ada", email: newEmail(), password });
      await browser.get("/list-sessions");
      const authentication = {
        authenticatedAt: expect.any(String),
        secondFactorAt: null,
        methods: ["password"],
      };
      expect(calls).toEqual([
        ["before /list-sessions", undefined],
        ["before /sign-up/email", undefined],
        ["after /sign-up/email", undefined],
        ["before /list-sessions", authentication],
        ["after /list-sessions", authentication],
      ]);
    });

    test("may throw an error of the catalogue as the answer, before our own checks", async () => {
      let afters = 0;
      hooked = {
        before: () => {
          throw new WireError("FORBIDDEN", { message: "Not from here" });
        },
        after: () => {
          afters += 1;
        },
      };
      const email = newEmail();
      expect(await signUp(email)).toEqual(errorResponse(403, "FORBIDDEN", "Not from here"));
      expect(await readResponse(await post("/sign-up/email", {}))).toEqual(
        errorResponse(403, "FORBIDDEN", "Not from here"),
      );
      expect([afters, await countOf("user", "email", email)]).toEqual([0, 0]);
    });

    test("can reject common passwords wherever one is set, without affecting existing ones", async () => {
      const { email, browser } = await newUser();
      const common = "Acme-Till-2026";
      const changed = await post(
        "/change-password",
        { currentPassword: password, newPassword: common },
        browser,
      );
      expect(changed.status).toBe(200);
      hooked = { before: refuseCommonPasswords(new Set([common.toLowerCase()])) };
      const tooCommon = errorResponse(400, "VALIDATION_ERROR", "Password is too common");
      const [other, token] = [newEmail(), "unknown"];
      for (const [path, body] of [
        ["/sign-up/email", { name: "Ada", email: other, password: common }],
        ["/change-password", { currentPassword: common, newPassword: common.toUpperCase() }],
        ["/reset-password", { token, newPassword: common }],
        ["/admin/create-user", { name: "Ada", email: other, password: common }],
        ["/admin/set-user-password", { userId: "1", newPassword: common }],
        ["/admin/first-run", { token, name: "Ada", email: other, password: common }],
      ] as const)
        expect([path, await readResponse(await post(path, body, browser))]).toEqual([
          path,
          tooCommon,
        ]);
      expect((await post("/sign-in/email", { email, password: common })).status).toBe(200);
    });

    test("any other error that it throws is 500 without a body", async () => {
      hooked = { before: () => Promise.reject(new Error("the application is not well")) };
      expect(await signUp(newEmail())).toEqual({ status: 500, body: undefined, cookies: [] });
    });
  });

  describe("hooks.after", () => {
    test("adds headers and receives the answer", async () => {
      const calls: unknown[] = [];
      hooked = {
        after: ({ returned, path }) => {
          calls.push([path, returned]);
          return { headers: { "x-plan": "free" } };
        },
      };
      const email = newEmail();
      const response = await post("/sign-up/email", { name: "Ada", email, password });
      expect(response.headers.get("x-plan")).toBe("free");
      expect(response.headers.getSetCookie()).toHaveLength(1);
      const { token } = (await response.json()) as { token: string };
      expect(calls).toEqual([
        [
          "/sign-up/email",
          expect.objectContaining({ token, user: expect.objectContaining({ email }) }),
        ],
      ]);
    });

    test("is not called for an error", async () => {
      let afters = 0;
      hooked = {
        after: () => {
          afters += 1;
          return { headers: { "x-plan": "free" } };
        },
      };
      const response = await post("/sign-in/email", { email: newEmail(), password });
      expect([response.status, response.headers.has("x-plan"), afters]).toEqual([401, false, 0]);
    });

    test("headers are added to a redirect too", async () => {
      const { email } = await newUser();
      hooked = { after: () => ({ headers: { "x-plan": "free" } }) };
      const token = await signVerificationToken(
        ring,
        { email },
        { now: new Date(), expiresInSeconds: 60 },
      );
      const response = await createBrowserLike(system.url).get(
        `/verify-email?token=${token}&callbackURL=/in`,
      );
      expect([response.status, response.headers.get("x-plan")]).toEqual([302, "free"]);
    });
  });

  describe("databaseHooks.user.create", () => {
    test("a veto rejects the sign-up and leaves no data", async () => {
      const email = newEmail();
      hooked = { userCreate: { before: () => false } };
      expect(await signUp(email)).toEqual(
        errorResponse(400, "FAILED_TO_CREATE_USER", "Failed to create user"),
      );
      expect(await countOf("user", "email", email)).toBe(0);
    });

    test("is called for an unused address only", async () => {
      const { email } = await newUser();
      let callCount = 0;
      hooked = {
        userCreate: {
          before: () => {
            callCount += 1;
          },
        },
      };
      expect((await signUp(email)).status).toBe(422);
      expect(callCount).toBe(0);
    });

    test("its overrides are stored and returned, and the after hook receives the stored row", async () => {
      const calls: unknown[] = [];
      const email = newEmail();
      hooked = {
        userCreate: {
          before: async ({ name }) => ({ data: { name: `${name} Lovelace`, emailVerified: true } }),
          after: (user) => calls.push(user),
        },
      };
      const { status, body } = await signUp(email);
      const shown = { name: "Ada Lovelace", email, emailVerified: true };
      expect(status).toBe(200);
      expect(body.user).toMatchObject(shown);
      expect(calls).toEqual([expect.objectContaining({ id: body.user.id, ...shown })]);
    });

    test("an overridden address is stored in lower case, and still unique", async () => {
      const { email } = await newUser();
      const other = newEmail();
      hooked = { userCreate: { before: () => ({ data: { email: other.toUpperCase() } }) } };
      expect((await signUp(newEmail())).body.user.email).toBe(other);
      hooked = { userCreate: { before: () => ({ data: { email } }) } };
      expect(await signUp(newEmail())).toEqual(
        errorResponse(422, "USER_ALREADY_EXISTS", "User already exists"),
      );
    });

    test("a failure makes the sign-up 500 and leaves no data", async () => {
      const email = newEmail();
      hooked = { userCreate: { before: () => Promise.reject(new Error("not well")) } };
      expect(await signUp(email)).toEqual({ status: 500, body: undefined, cookies: [] });
      expect(await countOf("user", "email", email)).toBe(0);
    });
  });

  describe("databaseHooks.account.create", () => {
    test("a veto rejects the sign-up and leaves no data", async () => {
      const email = newEmail();
      hooked = { accountCreate: { before: () => false } };
      expect(await signUp(email)).toEqual(
        errorResponse(400, "FAILED_TO_CREATE_USER", "Failed to create user"),
      );
      expect(await countOf("user", "email", email)).toBe(0);
    });

    test("receives the account without its password, before and after", async () => {
      const calls: unknown[] = [];
      hooked = {
        accountCreate: {
          before: (account) => void calls.push(account),
          after: (account) => calls.push(account),
        },
      };
      const { user } = await newUser();
      const account = {
        id: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
        userId: user.id,
        providerId: "credential",
        accountId: user.id,
      };
      expect(calls).toEqual([account, account]);
    });

    test("its overrides are stored, except for the id", async () => {
      const accountId = `chosen-${stores}`;
      hooked = { accountCreate: { before: () => ({ data: { id: "chosen", accountId } }) } };
      const { user } = await newUser();
      const [account] = await rows.query(
        "select id, account_id from identity.account where user_id = $1",
        user.id,
      );
      expect(account).toEqual({
        id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        account_id: accountId,
      });
    });
  });

  describe("databaseHooks.account.update", () => {
    const change = (browser: BrowserLike) =>
      post("/change-password", { currentPassword: password, newPassword: "another one" }, browser);

    test("a veto rejects a new password, and the old one stays", async () => {
      const { browser, email } = await newUser();
      hooked = { accountUpdate: { before: () => false } };
      expect(await readResponse(await change(browser))).toEqual(
        errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user"),
      );
      hooked = {};
      expect((await signIn(email)).status).toBe(200);
    });

    test("receives the account without its password, before and after", async () => {
      const { browser, user } = await newUser();
      const calls: unknown[] = [];
      hooked = {
        accountUpdate: {
          before: (account) => void calls.push(account),
          after: (account) => calls.push(account),
        },
      };
      expect((await change(browser)).status).toBe(200);
      const account = {
        id: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
        userId: user.id,
        providerId: "credential",
        accountId: user.id,
      };
      expect(calls).toEqual([account, account]);
    });
  });

  describe("databaseHooks.verification.create", () => {
    const requestReset = async (email: string) =>
      readResponse(await post("/request-password-reset", { email }));
    const tokensOf = async (userId: string) =>
      rows.query("select expires_at from identity.verification where value = $1", userId);

    test("a veto suppresses a reset link with the same answer for all, and no token is stored", async () => {
      const { email, user } = await newUser();
      hooked = { verificationCreate: { before: () => false } };
      for (const address of [email, newEmail()])
        expect(await requestReset(address)).toEqual(
          errorResponse(500, "UNABLE_TO_CREATE_VERIFICATION", "Unable to create verification"),
        );
      expect(await tokensOf(user.id)).toEqual([]);
    });

    test("a veto rejects a link that deletes the account", async () => {
      const { browser, user } = await newUser();
      hooked = { verificationCreate: { before: () => false } };
      expect(await readResponse(await post("/delete-user", {}, browser))).toEqual(
        errorResponse(500, "UNABLE_TO_CREATE_VERIFICATION", "Unable to create verification"),
      );
      expect(await tokensOf(user.id)).toEqual([]);
    });

    test("receives the row without the token, before and after, and may set its expiry", async () => {
      const { email, user } = await newUser();
      const calls: object[] = [];
      const expiresAt = new Date(Date.now() + dayMs);
      hooked = {
        verificationCreate: {
          before: (row) => {
            calls.push(row);
            return { data: { expiresAt, value: "somebody else" } };
          },
          after: (row) => calls.push(row),
        },
      };
      expect((await requestReset(email)).status).toBe(200);
      const row = {
        id: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
        purpose: "reset-password",
        value: user.id,
        expiresAt: expect.any(Date) as Date,
        createdAt: expect.any(Date) as Date,
        updatedAt: expect.any(Date) as Date,
      };
      expect(calls).toEqual([row, { ...row, expiresAt }]);
      expect(await tokensOf(user.id)).toEqual([{ expires_at: expiresAt }]);
    });

    // If hooks ran for known addresses only, response times would reveal which addresses are known.
    test("is also called for an unknown address, without a user", async () => {
      const calls: unknown[] = [];
      hooked = {
        verificationCreate: {
          before: ({ value }) => void calls.push(value),
          after: ({ value }) => calls.push(value),
        },
      };
      expect((await requestReset(newEmail())).status).toBe(200);
      expect(calls).toEqual(["", ""]);
    });
  });

  describe("databaseHooks.session.create", () => {
    test("a veto at sign-up is reported, and the user stays", async () => {
      const email = newEmail();
      hooked = { sessionCreate: { before: () => false } };
      expect(await signUp(email)).toEqual(
        errorResponse(400, "FAILED_TO_CREATE_SESSION", "Failed to create session"),
      );
      hooked = {};
      expect((await signIn(email)).status).toBe(200);
    });

    test("a veto at sign-in is reported", async () => {
      const { email } = await newUser();
      hooked = { sessionCreate: { before: () => false } };
      expect(await signIn(email)).toEqual(
        errorResponse(401, "FAILED_TO_CREATE_SESSION", "Failed to create session"),
      );
    });

    test("its overrides are stored, and the after hook receives the row without the token", async () => {
      const { email } = await newUser();
      const calls: object[] = [];
      hooked = {
        sessionCreate: {
          before: () => ({ data: { userAgent: "overridden" } }),
          after: (session) => calls.push(session),
        },
      };
      const browser = createBrowserLike(system.url);
      const { body } = await signIn(email, browser);
      const session = (await get(browser)).body?.session;
      expect(session?.userAgent).toBe("overridden");
      expect(calls).toEqual([
        expect.objectContaining({ id: session?.id, userAgent: "overridden" }),
      ]);
      expect(JSON.stringify(calls)).not.toContain(body.token);
    });

    test("an overridden expiry is stored, returned and sent to the browser", async () => {
      const { email } = await newUser();
      hooked = {
        sessionCreate: {
          before: ({ createdAt }) => ({
            data: { expiresAt: new Date(createdAt.getTime() + 6.5 * dayMs) },
          }),
        },
      };
      const browser = createBrowserLike(system.url);
      const { cookies } = await signIn(email, browser);
      expect(cookies).toEqual([expect.stringMatching(/; Max-Age=561600;/)]);
      const { expiresAt, createdAt } = (await get(browser)).body?.session ?? {};
      expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")).toBe(6.5 * dayMs);
    });

    test("it cannot assign the session to another user", async () => {
      const [ada, grace] = [await newUser(), await newUser()];
      const userIds: unknown[] = [];
      hooked = {
        sessionCreate: {
          before: () => ({ data: { userId: grace.user.id } }),
          after: ({ userId }) => userIds.push(userId),
        },
      };
      const browser = createBrowserLike(system.url);
      await signIn(ada.email, browser);
      expect((await get(browser)).body).toMatchObject({
        session: { userId: ada.user.id },
        user: { id: ada.user.id },
      });
      expect(userIds).toEqual([ada.user.id]);
    });

    // The user snapshot of a session is read before the session is written.
    test("a change of the user during the start of a session is visible in it", async () => {
      const { email } = await newUser();
      hooked = {
        sessionCreate: {
          before: async () => {
            hooked = {};
            expect((await verify(email)).status).toBe(200);
            await until(copiesAreRenewed);
          },
        },
      };
      const browser = createBrowserLike(system.url);
      await signIn(email, browser);
      expect((await get(browser)).body?.user.emailVerified).toBe(true);
    });
  });

  describe("databaseHooks.session.update", () => {
    /** Signs up a user whose session is due for extension. */
    const dueUser = async () => {
      hooked = {
        sessionCreate: {
          before: ({ expiresAt }) => ({
            data: { expiresAt: new Date(expiresAt.getTime() - 2 * dayMs) },
          }),
        },
      };
      const user = await newUser();
      hooked = {};
      return user;
    };

    test("a veto of an extension returns null and clears the cookies", async () => {
      const { browser } = await dueUser();
      hooked = { sessionUpdate: { before: () => false } };
      expect(await get(browser)).toEqual({ status: 200, body: null, cookies: clearing });
    });

    test("a veto of an extension rejects operations that need a session", async () => {
      const { browser } = await dueUser();
      hooked = { sessionUpdate: { before: () => false } };
      expect(await readResponse(await browser.get("/list-sessions"))).toEqual(
        errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
      );
    });

    test("an overridden expiry is stored, returned and sent to the browser", async () => {
      const { browser } = await dueUser();
      const calls: unknown[] = [];
      const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 6.5 * dayMs);
      hooked = {
        sessionUpdate: {
          before: () => ({ data: { expiresAt } }),
          after: (session) => calls.push(session),
        },
      };
      const { body, cookies } = await get(browser);
      expect(body?.session.expiresAt).toBe(expiresAt.toISOString());
      expect(cookies).toEqual([expect.stringMatching(/; Max-Age=(561599|561600);/)]);
      expect(calls).toEqual([expect.objectContaining({ id: body?.session.id, expiresAt })]);
      hooked = {};
      expect((await get(browser)).body?.session.expiresAt).toBe(expiresAt.toISOString());
    });

    test("for 16 concurrent requests with a due session, the application is notified of one extension", async () => {
      const { browser } = await dueUser();
      let callCount = 0;
      hooked = {
        sessionUpdate: {
          after: () => {
            callCount += 1;
          },
        },
      };
      const cookie = `auth.session_token=${browser.cookies.get("auth.session_token")}`;
      await Promise.all(
        Array.from({ length: 16 }, () =>
          fetch(`${system.url}/get-session`, { headers: { cookie } }).then((answer) =>
            answer.text(),
          ),
        ),
      );
      expect(callCount).toBe(1);
    });
  });

  describe("databaseHooks.user.update", () => {
    test("a veto rejects a verification, and the address stays unverified", async () => {
      const { browser, email } = await newUser();
      hooked = { userUpdate: { before: () => false } };
      expect(await readResponse(await verify(email))).toEqual(
        errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user"),
      );
      hooked = {};
      expect((await get(browser)).body?.user.emailVerified).toBe(false);
    });

    test("receives the user before and after the change", async () => {
      const calls: unknown[] = [];
      const { email, user } = await newUser();
      hooked = {
        userUpdate: {
          before: (row) => void calls.push(row),
          after: (row) => calls.push(row),
        },
      };
      await verify(email);
      const changed = expect.objectContaining({
        id: user.id,
        email,
        emailVerified: true,
      }) as object;
      expect(calls).toEqual([changed, changed]);
    });

    test("its overrides are stored", async () => {
      const { browser, email } = await newUser();
      hooked = { userUpdate: { before: () => ({ data: { name: "Ada Lovelace" } }) } };
      await verify(email);
      expect((await get(browser)).body?.user).toMatchObject({
        name: "Ada Lovelace",
        emailVerified: true,
      });
    });
  });
});
