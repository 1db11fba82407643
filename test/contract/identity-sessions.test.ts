import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { createTestRedis, expectNoLeaks, until } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { type StoreKind, testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const cookieAttributes = "Path=/; HttpOnly; SameSite=Lax";
const clearing = [
  `auth.session_token=; Max-Age=0; ${cookieAttributes}`,
  `auth.session_data=; Max-Age=0; ${cookieAttributes}`,
  `auth.dont_remember=; Max-Age=0; ${cookieAttributes}`,
];
const dayMs = 86_400_000;
const callers = 16;
const race = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: callers }, work));

interface Session {
  id: string;
  token: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const nothing = { status: 200, body: null, cookies: [] };
const nothingAnyMore = { status: 200, body: null, cookies: clearing };
const done = { status: 200, body: { status: true }, cookies: [] };

const signIn = async (system: System, { email }: TestUser, own: object = {}) => {
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/sign-in/email", { email, password, ...own });
  expect(response.status).toBe(200);
  const { token } = (await response.json()) as { token: string };
  return { browser, token };
};

type Got = { session: Session; user: { id: string; email: string } } | null;
const get = async (browser: BrowserLike, query = "", headers?: Record<string, string>) =>
  readResponse<Got>(await browser.get(`/get-session${query}`, headers));
const sessionOf = async (browser: BrowserLike): Promise<Session> => {
  const { body } = await get(browser, "?disableRefresh=true");
  if (!body) throw new Error("there is no session");
  return body.session;
};
const list = async (browser: BrowserLike, query = "") =>
  readResponse<Session[]>(await browser.get(`/list-sessions${query}`));
/** A client without cookies that sends this Authorization header. */
const bearing = (system: System, authorization: string) =>
  fetch(`${system.url}/get-session`, { headers: { authorization } });

/** How much older the sessions created now are made, through the application's hook. */
let bornBefore = 0;
/** Lifetime of the sessions created now, in milliseconds. 0 keeps the default. */
let livesFor = 0;
const ageing: LatchkeyConfig = {
  databaseHooks: {
    session: {
      create: {
        before: ({ createdAt, expiresAt }) => {
          const born = new Date(createdAt.getTime() - bornBefore);
          const dies = livesFor
            ? new Date(createdAt.getTime() + livesFor)
            : new Date(expiresAt.getTime() - bornBefore);
          return { data: { createdAt: born, updatedAt: born, expiresAt: dies } };
        },
      },
    },
  },
};
afterEach(() => {
  bornBefore = 0;
  livesFor = 0;
});

const withStack = (
  stores: StoreKind,
  config: LatchkeyConfig,
  tests: (system: () => System) => void,
): void => {
  const { system } = useSystem({
    stores,
    config,
  });
  tests(() => system);
};

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, config: ageing });
  const newUser = () => signUp(system);
  /** Signs up a user whose session has lived for two days and is due for extension. */
  const dueUser = async () => {
    bornBefore = 2 * dayMs;
    const user = await newUser();
    bornBefore = 0;
    return user;
  };
  const anonymous = () => createBrowserLike(system.url);
  const audited = async (action: string, subjectId: string) =>
    (
      await rows.query(
        "select 1 from identity.audit where action = $1 and subject_id = $2",
        action,
        subjectId,
      )
    ).length;

  describe("get-session", () => {
    test("16 concurrent users each get their own session, and a user whose session was revoked gets none", async () => {
      const users = await Promise.all(Array.from({ length: callers }, newUser));
      const ended = users[3];
      await ended?.browser.post("/revoke-sessions");
      const answers = await Promise.all(
        users.map(({ token }) => bearing(system, `Bearer ${token}`)),
      );
      const ids = await Promise.all(
        answers.map(async (answer) => ((await answer.json()) as Got)?.user.id),
      );
      expect(ids).toEqual(users.map((one) => (one === ended ? undefined : one.user.id)));
      const tokens = new Set(answers.map(({ headers }) => headers.get("set-auth-jwt")));
      expect(tokens.size).toBe(callers);
    });

    test("returns the session and its user, and sets no cookie until an extension is due", async () => {
      const { browser, token, user, email } = await newUser();
      const response = await browser.get("/get-session", { "user-agent": "Another/2.0" });
      expect(response.headers.get("content-type")).toBe("application/json");
      const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const { status, body, cookies } = await readResponse<Got>(response);
      expect([status, cookies]).toEqual([200, []]);
      expect(body).toStrictEqual({
        session: {
          id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
          token,
          userId: user.id,
          expiresAt: isoTime,
          createdAt: isoTime,
          updatedAt: isoTime,
          ipAddress: "127.0.0.1",
          userAgent: expect.any(String),
          impersonatedBy: null,
          activeOrganizationId: null,
        },
        user: {
          id: user.id,
          name: "Ada",
          email,
          emailVerified: false,
          image: null,
          createdAt: isoTime,
          updatedAt: isoTime,
          username: null,
          displayUsername: null,
          twoFactorEnabled: false,
          role: "user",
          banned: false,
          banReason: null,
          banExpires: null,
        },
      });
      const { expiresAt, createdAt } = body?.session ?? { expiresAt: "", createdAt: "" };
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * dayMs);
    });

    const good = "A".repeat(32);
    const otherRing = createSecretRing(["another secret, of somebody else"]);
    test.each([
      ["no cookie", undefined],
      ["an empty one", ""],
      ["one without a signature", good],
      ["one with a signature cut short", signValue(ring, good).slice(0, -4)],
      ["one whose value was changed", signValue(ring, good).replace("AAAA", "AAAB")],
      ["one signed with another secret", signValue(otherRing, good)],
      ["broken percent encoding", `${good}.%ZZ`],
    ])("with %s there is no session, and no cookie is cleared", async (_, cookie) => {
      const browser = anonymous();
      if (cookie !== undefined) browser.cookies.set("auth.session_token", cookie);
      const response = await browser.get("/get-session");
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await readResponse(response)).toEqual(nothing);
    });

    test("a signed cookie without a session is cleared, in order", async () => {
      const browser = anonymous();
      browser.cookies.set("auth.session_token", signValue(ring, good));
      expect(await get(browser)).toEqual(nothingAnyMore);
    });

    test.each([
      ["percent-encoded", (signed: string) => signed],
      ["not encoded", (signed: string) => decodeURIComponent(signed)],
      ["in quotes", (signed: string) => `"${decodeURIComponent(signed)}"`],
    ])("a cookie that is %s is read", async (_, write) => {
      const { browser, token } = await newUser();
      browser.cookies.set("auth.session_token", write(signValue(ring, token)));
      expect((await get(browser)).body?.session.token).toBe(token);
    });

    test("the first of two cookies with one name counts", async () => {
      const [first, second] = [await newUser(), await newUser()];
      const cookie = [first, second]
        .map(({ token }) => `auth.session_token=${signValue(ring, token)}`)
        .join("; ");
      const response = await fetch(`${system.url}/get-session`, { headers: { cookie } });
      expect((await readResponse<Got>(response)).body?.session.token).toBe(first.token);
    });

    test.each([
      "?disableRefresh=true&disableRefresh=true",
      "?disableCookieCache=a&disableCookieCache=b",
    ])("rejects the repeated query %s", async (query) => {
      const { browser } = await newUser();
      expect(await get(browser, query)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", message: "Invalid query parameters" },
        cookies: [],
      });
    });

    test.each(["PUT", "DELETE"])("%s is not found, without a body", async (method) => {
      const response = await fetch(`${system.url}/get-session`, { method });
      expect([response.status, await response.text()]).toEqual([404, ""]);
    });

    test("POST is rejected unless extensions are deferred to it", async () => {
      const { browser } = await newUser();
      expect(await readResponse(await browser.post("/get-session"))).toEqual(
        errorResponse(
          405,
          "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED",
          "POST method requires deferSessionRefresh to be enabled in session config",
        ),
      );
    });

    test("a due session is extended in row, answer and cookie", async () => {
      const { browser, token } = await dueUser();
      const before = await sessionOf(browser);
      const askedAt = Date.now();
      const { body, cookies } = await get(browser);
      const { session } = body ?? { session: before };
      expect(Date.parse(session.updatedAt)).toBeGreaterThanOrEqual(askedAt);
      expect(Date.parse(session.expiresAt)).toBe(Date.parse(session.updatedAt) + 7 * dayMs);
      expect(session.createdAt).toBe(before.createdAt);
      expect(cookies).toEqual([
        expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=(604800|604799); Path=\//),
      ]);
      expect(cookies[0]).toContain(`=${signValue(ring, token)};`);
      expect(await get(browser)).toEqual({ status: 200, body, cookies: [] });
    });

    test("an extension also returns the token to clients without cookies", async () => {
      const { token } = await dueUser();
      const response = await bearing(system, `Bearer ${token}`);
      expect(response.headers.get("set-auth-token")).toBe(signValue(ring, token));
      expect((await bearing(system, `Bearer ${token}`)).headers.has("set-auth-token")).toBe(false);
    });

    matrixTest(
      "one of 16 concurrent requests extends a due session, and all return it extended",
      async () => {
        const { browser } = await dueUser();
        const { expiresAt } = await sessionOf(browser);
        const cookie = `auth.session_token=${browser.cookies.get("auth.session_token")}`;
        const answers = await race(async () =>
          readResponse<Got>(await fetch(`${system.url}/get-session`, { headers: { cookie } })),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200));
        expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1);
        const expiries = new Set(answers.map(({ body }) => body?.session.expiresAt));
        expect(expiries.size).toBe(1);
        expect(expiries.has(expiresAt)).toBe(false);
        expect(expiries.has((await sessionOf(browser)).expiresAt)).toBe(true);
      },
    );

    test("disableRefresh returns a due session unchanged and sets no cookie", async () => {
      const { browser } = await dueUser();
      const first = await get(browser, "?disableRefresh=true");
      const again = await get(browser, "?disableRefresh=true");
      expect(first.cookies).toEqual([]);
      expect(again).toEqual(first);
    });

    test.each([
      "?disableRefresh=false",
      "?disableRefresh=1",
      "?disableRefresh=",
      "?disableRefresh=TRUE",
    ])("%s does not keep a due session from being extended", async (query) => {
      const { browser } = await dueUser();
      expect((await get(browser, query)).cookies).toHaveLength(1);
    });

    /** Attack: a thief copies the session cookie without the marker, so that the session is extended. */
    test("a session without rememberMe is never extended, whichever client uses its token", async () => {
      const user = await newUser();
      bornBefore = dayMs / 2;
      const { browser, token } = await signIn(system, user, { rememberMe: false });
      const first = await get(browser);
      expect(first.cookies).toEqual([]);
      browser.cookies.delete("auth.dont_remember");
      expect(await get(browser)).toEqual(first);
      expect(await (await bearing(system, `Bearer ${token}`)).json()).toEqual(first.body);
      expect((await list(browser)).cookies).toEqual([]);
      expect(await sessionOf(browser)).toEqual(first.body?.session);
    });

    test("a session without rememberMe gets no persistent cookie in a browser without the marker", async () => {
      const { browser } = await signIn(system, await newUser(), { rememberMe: false });
      browser.cookies.delete("auth.dont_remember");
      const { cookies } = await readResponse(await browser.post("/update-user", { name: "Grace" }));
      expect(cookies).toEqual([
        expect.stringMatching(/^auth\.session_token=[^;]+; Path=\//),
        expect.stringMatching(/^auth\.dont_remember=[^;]+; Path=\//),
      ]);
    });

    test("an expired session is refused, and the cookies are cleared", async () => {
      livesFor = 1_000;
      const { browser } = await newUser();
      const endedCookie = browser.cookies.get("auth.session_token") ?? "";
      const ended = await until(async () => {
        browser.cookies.set("auth.session_token", endedCookie);
        const answer = await get(browser, "?disableRefresh=true");
        return answer.body === null && answer;
      });
      expect(ended).toEqual(nothingAnyMore);
      expect(browser.cookies.size).toBe(0);
      browser.cookies.set("auth.session_token", endedCookie);
      expect(await list(browser)).toEqual(unauthorized);
    });

    test("the marker of a browser session alone opens no session", async () => {
      const browser = anonymous();
      browser.cookies.set("auth.dont_remember", signValue(ring, "true"));
      expect(await get(browser)).toEqual(nothing);
    });
  });

  describe("list-sessions", () => {
    test("returns the caller's own sessions as get-session shows them, newest first", async () => {
      const user = await newUser();
      bornBefore = -1_000; // ensures different milliseconds
      const second = await signIn(system, user);
      bornBefore = -2_000;
      const third = await signIn(system, user, { rememberMe: false });
      await newUser();
      const { status, body, cookies } = await list(user.browser);
      expect([status, cookies]).toEqual([200, []]);
      expect(body).toStrictEqual([
        await sessionOf(third.browser),
        await sessionOf(second.browser),
        await sessionOf(user.browser),
      ]);
    });

    test("excludes expired sessions", async () => {
      const user = await newUser();
      livesFor = 150;
      await signIn(system, user);
      await until(async () => (await list(user.browser)).body.length === 1);
    });

    test("of more than 100 sessions the 100 newest are listed", async () => {
      const user = await newUser();
      for (let index = 1; index <= 101; index += 1) {
        bornBefore = -index;
        await signIn(system, user);
      }
      const { body } = await list(user.browser);
      expect(body).toHaveLength(100);
      const times = body.map(({ createdAt }) => Date.parse(createdAt));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(body.some(({ token }) => token === user.token)).toBe(false);
    });

    test("also extends a due session", async () => {
      const { browser } = await dueUser();
      const { expiresAt } = await sessionOf(browser);
      const { body } = await list(browser);
      expect(body[0]?.expiresAt).not.toBe(expiresAt);
      expect(await sessionOf(browser)).toEqual(body[0]);
    });

    test("disableRefresh applies to any operation that needs a session", async () => {
      const { browser } = await dueUser();
      const { expiresAt } = await sessionOf(browser);
      expect((await list(browser, "?disableRefresh=true")).body[0]?.expiresAt).toBe(expiresAt);
    });
  });

  describe("operations that need a session", () => {
    test.each([
      ["GET", "/list-sessions", undefined],
      ["POST", "/revoke-session", { token: "A".repeat(32) }],
      ["POST", "/revoke-sessions", undefined],
      ["POST", "/revoke-other-sessions", undefined],
    ])(
      "%s %s rejects callers without a session, or with an ended one",
      async (method, path, body) => {
        const { browser } = await newUser();
        const endedCookie = browser.cookies.get("auth.session_token") ?? "";
        await browser.post("/sign-out");
        const callWith = async (cookie: string | undefined) =>
          readResponse(
            await fetch(system.url + path, {
              method,
              headers: {
                "content-type": "application/json",
                ...(cookie === undefined ? {} : { cookie: `auth.session_token=${cookie}` }),
              },
              ...(body ? { body: JSON.stringify(body) } : {}),
            }),
          );
        expect(await callWith(undefined)).toEqual(unauthorized);
        expect(await callWith("forged")).toEqual(unauthorized);
        expect(await callWith(endedCookie)).toEqual(unauthorized);
      },
    );

    test.each(["/revoke-session", "/revoke-sessions", "/revoke-other-sessions", "/sign-out"])(
      "a foreign page cannot POST %s for a browser that holds cookies",
      async (path) => {
        const { browser, token } = await newUser();
        const response = await browser.post(path, { token }, { origin: "https://evil.example" });
        expect(await readResponse(response)).toMatchObject(
          errorResponse(403, "INVALID_ORIGIN", "Invalid origin"),
        );
        expect((await get(browser)).body?.session.token).toBe(token);
      },
    );
  });

  describe("revoke-session", () => {
    const revoke = async (browser: BrowserLike, body: unknown) =>
      readResponse(await browser.post("/revoke-session", body));

    test("a session revoked from another device is refused at once", async () => {
      const phone = await newUser();
      const laptop = await signIn(system, phone);
      expect(await revoke(laptop.browser, { token: phone.token })).toEqual(done);
      expect(await get(phone.browser)).toEqual(nothingAnyMore);
      expect((await list(laptop.browser)).body.map(({ token }) => token)).toEqual([laptop.token]);
    });

    test("revoking one's own session keeps the cookies until the next get-session", async () => {
      const { browser, token } = await newUser();
      expect(await revoke(browser, { token })).toEqual(done);
      expect(browser.cookies.has("auth.session_token")).toBe(true);
      expect(await get(browser)).toEqual(nothingAnyMore);
    });

    test.each([{}, { token: null }, { token: 1 }, { token: ["a"] }, []])(
      "rejects the body %j before authentication",
      async (body) => {
        const expected = {
          status: 400,
          body: { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
          cookies: [],
        };
        expect(await revoke(anonymous(), body)).toMatchObject(expected);
        expect(await revoke((await newUser()).browser, body)).toMatchObject(expected);
      },
    );

    test.each(["", "unknown", "A".repeat(32), "a\0b", "é".repeat(5_000)])(
      "an unknown token is not found",
      async (token) => {
        const { browser } = await newUser();
        expect(await revoke(browser, { token })).toEqual(
          errorResponse(400, "SESSION_NOT_FOUND", "Session not found"),
        );
      },
    );

    test("the id of a session does not revoke it", async () => {
      const { browser } = await newUser();
      const { id } = await sessionOf(browser);
      expect((await revoke(browser, { token: id })).status).toBe(400);
    });

    // A person who has another user's token must not be able to end that session.
    test("rejects another user's session, which stays valid", async () => {
      const [ada, mallory] = [await newUser(), await newUser()];
      expect(await revoke(mallory.browser, { token: ada.token })).toEqual(unauthorized);
      expect((await get(ada.browser)).body?.session.token).toBe(ada.token);
    });

    test("a session that is revoked twice is not found the second time", async () => {
      const user = await newUser();
      const { token } = await signIn(system, user);
      expect(await revoke(user.browser, { token })).toEqual(done);
      expect(await revoke(user.browser, { token })).toMatchObject({
        status: 400,
        body: { code: "SESSION_NOT_FOUND" },
      });
    });

    matrixTest("16 concurrent revocations of one session end it once, and none fails", async () => {
      const user = await newUser();
      const other = await signIn(system, user);
      const { id } = await sessionOf(other.browser);
      const answers = await race(() => revoke(user.browser, { token: other.token }));
      expect(answers).toContainEqual(done);
      for (const { status, body } of answers.filter((answer) => answer.status !== 200))
        expect([status, body]).toEqual([
          400,
          { code: "SESSION_NOT_FOUND", message: "Session not found" },
        ]);
      expect(await get(other.browser)).toEqual(nothingAnyMore);
      expect(await audited("session.revoked", id)).toBe(1);
    });

    // A thief must not keep a stolen session alive by using it again and again.
    test("a due session that is used during its revocation stays revoked", async () => {
      const user = await newUser();
      bornBefore = 2 * dayMs;
      const due = await signIn(system, user);
      const headers = { authorization: `Bearer ${due.token}` };
      await Promise.all([
        race(() => fetch(`${system.url}/get-session`, { headers }).then((answer) => answer.text())),
        revoke(user.browser, { token: due.token }),
      ]);
      expect(await get(due.browser)).toEqual(nothingAnyMore);
    });
  });

  describe("revoke-sessions", () => {
    test("ends every session of the caller, and the next get-session clears the cookies", async () => {
      const user = await newUser();
      const other = await signIn(system, user);
      const stranger = await newUser();
      expect(await readResponse(await user.browser.post("/revoke-sessions"))).toEqual(done);
      expect(await get(user.browser)).toEqual(nothingAnyMore);
      expect(await get(other.browser)).toEqual(nothingAnyMore);
      expect((await get(stranger.browser)).body).not.toBeNull();
      expect(await audited("session.revoked-all", user.user.id)).toBe(1);
    });

    test("a new sign-in works afterwards", async () => {
      const user = await newUser();
      await user.browser.post("/revoke-sessions");
      const { browser, token } = await signIn(system, user);
      expect((await list(browser)).body.map((session) => session.token)).toEqual([token]);
    });

    test("also ends an extended session", async () => {
      const { browser } = await dueUser();
      await get(browser);
      await browser.post("/revoke-sessions");
      expect(await get(browser)).toEqual(nothingAnyMore);
    });
  });

  describe("revoke-other-sessions", () => {
    test("ends every session except the current one", async () => {
      const user = await newUser();
      const others = [
        await signIn(system, user),
        await signIn(system, user, { rememberMe: false }),
      ];
      const stranger = await newUser();
      expect(await readResponse(await user.browser.post("/revoke-other-sessions"))).toEqual(done);
      for (const { browser } of others) expect(await get(browser)).toEqual(nothingAnyMore);
      expect((await list(user.browser)).body.map(({ token }) => token)).toEqual([user.token]);
      expect((await get(stranger.browser)).body).not.toBeNull();
      expect(await audited("session.revoked-others", user.user.id)).toBe(1);
    });

    test("succeeds without another session", async () => {
      const { browser, token } = await newUser();
      expect(await readResponse(await browser.post("/revoke-other-sessions"))).toEqual(done);
      expect((await get(browser)).body?.session.token).toBe(token);
    });
  });

  describe("a bearer token", () => {
    test.each([
      ["raw", (token: string) => `Bearer ${token}`],
      ["signed, as set-auth-token gives it", (token: string) => `Bearer ${signValue(ring, token)}`],
    ])("opens the session: %s", async (_, write) => {
      const { token } = await newUser();
      const { body, cookies } = await readResponse<Got>(await bearing(system, write(token)));
      expect([body?.session.token, cookies]).toEqual([token, []]);
    });

    test("an existing session cookie takes precedence", async () => {
      const [ada, grace] = [await newUser(), await newUser()];
      const { body } = await get(ada.browser, "", { authorization: `Bearer ${grace.token}` });
      expect(body?.session.token).toBe(ada.token);
    });

    test("a bad signature is silently ignored", async () => {
      const { token } = await newUser();
      const forged = `Bearer ${token}.${"B".repeat(43)}%3D`;
      expect(await readResponse(await bearing(system, forged))).toEqual(nothing);
    });

    test("an unsigned one without a session counts as a dead cookie", async () => {
      expect(await readResponse(await bearing(system, `Bearer ${"A".repeat(32)}`))).toEqual(
        nothingAnyMore,
      );
    });
  });

  if (stores === "postgres") {
    describe("aged rows", () => {
      const age = async () => {
        const user = await newUser();
        const { id } = await sessionOf(user.browser);
        await rows.query(
          "update identity.session set expires_at = now() - interval '1 second' where id = $1",
          id,
        );
        return { ...user, id };
      };

      test("an expired row is refused, and deleted on use", async () => {
        const { browser, id } = await age();
        expect(await get(browser)).toEqual(nothingAnyMore);
        expect(await rows.query("select 1 from identity.session where id = $1", id)).toEqual([]);
      });

      test("a row without the remembered flag is judged by the marker", async () => {
        bornBefore = dayMs / 2;
        const { browser } = await signIn(system, await newUser(), { rememberMe: false });
        const { id, expiresAt } = await sessionOf(browser);
        await rows.query("update identity.session set remembered = default where id = $1", id);
        expect(await get(browser)).toMatchObject({ body: { session: { expiresAt } }, cookies: [] });
      });

      test("an expired session can still be revoked", async () => {
        const expired = await age();
        const { browser } = await signIn(system, expired);
        const response = await browser.post("/revoke-session", { token: expired.token });
        expect(await readResponse(response)).toEqual(done);
      });
    });
  }
});

describe.each(matrix("postgres", "redis"))("with own options and sessions in %s", (stores) => {
  describe("session.updateAge 0", () => {
    withStack(stores, { session: { updateAge: 0, expiresIn: 3600 } }, (system) => {
      test("each use extends the session by session.expiresIn", async () => {
        const { browser } = await signUp(system());
        const before = await sessionOf(browser);
        expect(Date.parse(before.expiresAt) - Date.parse(before.createdAt)).toBe(3_600_000);
        for (let index = 0; index < 2; index += 1) {
          const { body, cookies } = await get(browser);
          expect(cookies[0]).toMatch(/^auth\.session_token=[^;]+; Max-Age=(3600|3599); Path=\//);
          const { expiresAt, updatedAt } = body?.session ?? before;
          expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(3_600_000);
        }
      });

      test("the first cookie lives as long as the session", async () => {
        const user = await signUp(system());
        const response = await user.browser.post("/sign-in/email", { email: user.email, password });
        expect(response.headers.getSetCookie()[0]).toContain("; Max-Age=3600; ");
      });

      test("a session without rememberMe still lives one day and is not extended", async () => {
        const { browser } = await signIn(system(), await signUp(system()), { rememberMe: false });
        const { expiresAt, createdAt } = await sessionOf(browser);
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(dayMs);
        expect((await get(browser)).cookies).toEqual([]);
      });

      test("disableRefresh takes precedence", async () => {
        const { browser } = await signUp(system());
        expect((await get(browser, "?disableRefresh=true")).cookies).toEqual([]);
      });
    });
  });

  describe("session.deferSessionRefresh", () => {
    withStack(stores, { session: { updateAge: 0, deferSessionRefresh: true } }, (system) => {
      test("GET reports that a session is due, and POST extends it", async () => {
        const { browser } = await signUp(system());
        const first = await get(browser);
        expect(first).toMatchObject({ body: { needsRefresh: true }, cookies: [] });
        expect((await list(browser)).cookies).toEqual([]);
        expect(await get(browser)).toEqual(first);
        const { status, body, cookies } = await readResponse<Got>(
          await browser.post("/get-session"),
        );
        expect([status, cookies.length]).toEqual([200, 1]);
        expect(body).not.toHaveProperty("needsRefresh");
        expect(Date.parse(body?.session.expiresAt ?? "")).toBeGreaterThan(
          Date.parse(first.body?.session.expiresAt ?? ""),
        );
      });

      test("a session without rememberMe is never due, and POST does not extend it", async () => {
        const { browser } = await signIn(system(), await signUp(system()), { rememberMe: false });
        const { body } = await get(browser);
        expect(body).toMatchObject({ needsRefresh: false });
        const posted = await readResponse<Got>(await browser.post("/get-session"));
        expect(posted).toMatchObject({ body: { session: body?.session }, cookies: [] });
      });

      test("POST without a session returns null", async () => {
        const browser = createBrowserLike(system().url);
        expect(await readResponse(await browser.post("/get-session"))).toEqual(nothing);
      });
    });
  });

  describe("session.disableSessionRefresh", () => {
    withStack(stores, { session: { updateAge: 0, disableSessionRefresh: true } }, (system) => {
      test("no use extends the session", async () => {
        const { browser } = await signUp(system());
        const first = await get(browser);
        expect(first.cookies).toEqual([]);
        await list(browser);
        expect(await get(browser)).toEqual(first);
      });
    });
  });

  describe("session.expiresIn of a second", () => {
    withStack(stores, { session: { expiresIn: 1 } }, (system) => {
      test("the session expires", async () => {
        const { browser } = await signUp(system());
        expect(browser.cookies.has("auth.session_token")).toBe(true);
        const ended = await until(async () => {
          const answer = await get(browser, "?disableRefresh=true");
          return answer.body === null && answer;
        });
        expect(ended).toEqual(nothingAnyMore);
      });
    });
  });

  describe("bearer.requireSignature", () => {
    withStack(stores, { bearer: { requireSignature: true } }, (system) => {
      test("only a signed token opens the session", async () => {
        const { token } = await signUp(system());
        expect(await readResponse(await bearing(system(), `Bearer ${token}`))).toEqual(nothing);
        const { body } = await readResponse<Got>(
          await bearing(system(), `Bearer ${signValue(ring, token)}`),
        );
        expect(body?.session.token).toBe(token);
      });
    });
  });
});

describe("with Redis, storeSessionInDatabase and revoked sessions preserved", () => {
  withStack(
    "own redis",
    { session: { storeSessionInDatabase: true, preserveSessionInDatabase: true } },
    (system) => {
      test("sessions are rows and no keys in Redis, and a revoked one remains as a row that is refused", async () => {
        const user = await signUp(system());
        const other = await signIn(system(), user);
        await user.browser.post("/revoke-other-sessions");
        expect(await get(other.browser)).toEqual(nothingAnyMore);
        expect((await list(user.browser)).body.map(({ token }) => token)).toEqual([user.token]);
        const rows = openRows(system());
        const sessions = await rows.query(
          "select revoked_at is not null as revoked from identity.session where user_id = $1 order by created_at",
          user.user.id,
        );
        await rows.close();
        expect(sessions).toEqual([{ revoked: false }, { revoked: true }]);
        const { redisUrl = "", advanced } = system().settings.options;
        const redis = await createTestRedis(redisUrl);
        const keys = await redis.keys(`${advanced.redisKeyPrefix}:*session*`);
        await redis.close();
        expect(keys).toEqual([]);
      });

      test("sessions start, work and end while Redis is down, and ended ones stay ended when it returns", async () => {
        const user = await signUp(system());
        const ended = await signIn(system(), user);
        await system().redis?.kill();
        expect((await list(user.browser)).body).toHaveLength(2);
        expect(await readResponse(await user.browser.post("/revoke-other-sessions"))).toEqual(done);
        expect(await get(ended.browser)).toEqual(nothingAnyMore);
        const other = await signIn(system(), user);
        expect(await sessionOf(other.browser)).toMatchObject({ token: other.token });
        await system().redis?.restart();
        expect(await readResponse(await bearing(system(), `Bearer ${ended.token}`))).toEqual(
          nothingAnyMore,
        );
        const tokens = (await list(user.browser)).body.map(({ token }) => token);
        expect(tokens.toSorted()).toEqual([user.token, other.token].toSorted());
      });
    },
  );
});
