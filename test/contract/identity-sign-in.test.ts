import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { newEmail, password, signInElsewhere, signUp } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { followLink, linkCookie } from "../harness/mailed-links.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const attributes = "Path=/; HttpOnly; SameSite=Lax";
const clearing = [
  `auth.session_token=; Max-Age=0; ${attributes}`,
  `auth.session_data=; Max-Age=0; ${attributes}`,
  `auth.dont_remember=; Max-Age=0; ${attributes}`,
];
const daySeconds = 86_400;

/** Returns an address that no other test uses. */

const wrong = errorResponse(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password");

const sessionOf = async (browser: BrowserLike) => {
  const response = await browser.get("/get-session");
  const body = (await response.json()) as {
    session: Record<"token" | "expiresAt" | "createdAt" | "ipAddress" | "userAgent", string>;
  };
  return { ...body.session, cookies: response.headers.getSetCookie() };
};

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  /** A user whom the tests do not change. */
  const { system, rows, user: ada } = useSystem({ stores });
  const signIn = (body: unknown, headers?: Record<string, string>) =>
    createBrowserLike(system.url).post("/sign-in/email", body, headers);

  describe("sign-in", () => {
    test("returns a new token and the user, and sets the session cookie", async () => {
      const browser = createBrowserLike(system.url);
      const response = await browser.post("/sign-in/email", { email: ada.email, password });
      expect(response.headers.get("content-type")).toBe("application/json");
      const { status, body, cookies } = await readResponse(response);
      expect(status).toBe(200);
      expect(body).toStrictEqual({
        redirect: false,
        token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user: {
          id: ada.user.id,
          name: "Ada",
          email: ada.email,
          emailVerified: false,
          image: null,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      const { token } = body as { token: string };
      expect(token).not.toBe(ada.token);
      const signed = signValue(ring, token);
      expect(cookies).toEqual([`auth.session_token=${signed}; Max-Age=604800; ${attributes}`]);
      expect(response.headers.get("set-auth-token")).toBe(signed);
      expect((await sessionOf(browser)).token).toBe(token);
      expect((await sessionOf(ada.browser)).token).toBe(ada.token);
    });

    test("compares the address without case", async () => {
      expect((await signIn({ email: ada.email.toUpperCase(), password })).status).toBe(200);
    });

    test.each([
      ["/home", { redirect: true, url: "/home" }],
      ["", { redirect: false, url: "" }],
      [undefined, { redirect: false }],
    ])("returns the callback URL %j without a redirect", async (callbackURL, shown) => {
      const response = await signIn({ email: ada.email, password, callbackURL });
      expect(response.headers.get("location")).toBeNull();
      const { status, body } = await readResponse(response);
      expect(status).toBe(200);
      expect(body).toMatchObject(shown);
      expect(Object.hasOwn(body as object, "url")).toBe(callbackURL !== undefined);
    });

    test("the session stores the address and user agent of the request", async () => {
      const browser = createBrowserLike(system.url);
      await browser.post(
        "/sign-in/email",
        { email: ada.email, password },
        { "user-agent": "A browser/1.0" },
      );
      expect(await sessionOf(browser)).toMatchObject({
        ipAddress: "127.0.0.1",
        userAgent: "A browser/1.0",
      });
    });

    test("without rememberMe it ends with the browser, and after a day", async () => {
      const browser = createBrowserLike(system.url);
      const response = await browser.post("/sign-in/email", {
        email: ada.email,
        password,
        rememberMe: false,
      });
      const { body, cookies } = await readResponse(response);
      const { token } = body as { token: string };
      expect(cookies).toEqual([
        `auth.session_token=${signValue(ring, token)}; ${attributes}`,
        `auth.dont_remember=${signValue(ring, "true")}; ${attributes}`,
      ]);
      expect(response.headers.get("set-auth-token")).toBe(signValue(ring, token));
      const session = await sessionOf(browser);
      expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(daySeconds * 1000);
      expect(session.cookies).toEqual([]);
    });

    test("with rememberMe it clears the marker of an earlier browser session", async () => {
      const browser = createBrowserLike(system.url);
      const body = { email: ada.email, password };
      await browser.post("/sign-in/email", { ...body, rememberMe: false });
      expect(browser.cookies.has("auth.dont_remember")).toBe(true);
      const { cookies } = await readResponse(
        await browser.post("/sign-in/email", { ...body, rememberMe: true }),
      );
      expect(cookies).toEqual([
        expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=604800; Path=\//),
        `auth.dont_remember=; Max-Age=0; ${attributes}`,
      ]);
      expect(browser.cookies.has("auth.dont_remember")).toBe(false);
    });

    test.each([
      ["no address", { email: undefined }, "email"],
      ["an address that is null", { email: null }, "email"],
      ["no password", { password: undefined }, "password"],
      ["a password that is a list", { password: [password] }, "password"],
      ["rememberMe null", { rememberMe: null }, "rememberMe"],
      ["rememberMe as text", { rememberMe: "false" }, "rememberMe"],
    ])("rejects %s and names it without its value", async (_, sent, field) => {
      expect(await readResponse(await signIn({ email: ada.email, password, ...sent }))).toEqual({
        status: 400,
        body: {
          code: "VALIDATION_ERROR",
          message: "Invalid body parameters",
          issues: [{ path: field, message: expect.any(String) }],
        },
        cookies: [],
      });
    });

    test.each([
      ["broken JSON", '{"email"', "application/json"],
      ["no JSON", "email=a@b.co", "text/plain"],
      ["a form, where nothing is true or false", "rememberMe=false", "form"],
    ])("rejects a body of %s", async (_, body, type) => {
      const form = new URLSearchParams({ email: ada.email, password, rememberMe: "false" });
      const response = await fetch(`${system.url}/sign-in/email`, {
        method: "POST",
        ...(type === "form" ? { body: form } : { body, headers: { "content-type": type } }),
      });
      expect(await readResponse(response)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
      });
    });

    test.each(["", "ada", "a@b", "a b@c.co", "é@c.co", "a@[1.2.3.4]"])(
      "rejects the address %j before it is looked up",
      async (email) => {
        expect(await readResponse(await signIn({ email, password }))).toEqual(
          errorResponse(400, "INVALID_EMAIL", "Invalid email"),
        );
      },
    );

    // Otherwise an attacker learns from the answer which addresses have an account, and of which kind.
    test("unknown address, wrong password and missing password account get the same answer", async () => {
      const [noAccount, noPassword] = [await signUp(system), await signUp(system)];
      await rows.query("delete from identity.account where user_id = $1", noAccount.user.id);
      await rows.query(
        "update identity.account set password = null where user_id = $1",
        noPassword.user.id,
      );
      expect(await readResponse(await signIn({ email: newEmail(), password }))).toEqual(wrong);
      expect(await readResponse(await signIn({ email: ada.email, password: "wrong" }))).toEqual(
        wrong,
      );
      expect(await readResponse(await signIn({ email: ada.email, password: "" }))).toEqual(wrong);
      expect(await readResponse(await signIn({ email: noAccount.email, password }))).toEqual(wrong);
      expect(await readResponse(await signIn({ email: noPassword.email, password }))).toEqual(
        wrong,
      );
    });

    test.each(["https://evil.example/", "//evil.example", "javascript:alert(1)"])(
      "rejects the callback URL %s",
      async (callbackURL) => {
        expect(
          await readResponse(await signIn({ email: ada.email, password, callbackURL })),
        ).toEqual(errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"));
      },
    );

    // Login CSRF: a foreign page must not sign a visitor in as another user.
    test("rejects a foreign page in a browser that holds cookies", async () => {
      const response = await ada.browser.post(
        "/sign-in/email",
        { email: ada.email, password },
        { origin: "https://evil.example" },
      );
      expect(await readResponse(response)).toMatchObject(
        errorResponse(403, "INVALID_ORIGIN", "Invalid origin"),
      );
    });

    test("16 concurrent sign-ins create 16 sessions", async () => {
      const { email, browser, token } = await signUp(system);
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => signInElsewhere(system, { email })),
      );
      const tokens = [token, ...answers.map((answer) => answer.token)];
      expect(new Set(tokens).size).toBe(17);
      const listed = (await (await browser.get("/list-sessions")).json()) as { token: string }[];
      expect(listed.map((listedOne) => listedOne.token).toSorted()).toEqual(tokens.toSorted());
    });
  });

  describe("sign-out", () => {
    test("ends the session and clears every cookie, in order", async () => {
      const { browser, token } = await signUp(system);
      const cookie = browser.cookies.get("auth.session_token") ?? "";
      const response = await browser.post("/sign-out");
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.has("set-auth-token")).toBe(false);
      expect(await readResponse(response)).toEqual({
        status: 200,
        body: { success: true },
        cookies: clearing,
      });
      // A copied cookie and the raw token are refused now.
      browser.cookies.set("auth.session_token", cookie);
      expect(await (await browser.get("/get-session")).json()).toBeNull();
      const bearer = await fetch(`${system.url}/get-session`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await bearer.json()).toBeNull();
    });

    test("the user's other sessions continue", async () => {
      const { email, browser } = await signUp(system);
      const other = createBrowserLike(system.url);
      await other.post("/sign-in/email", { email, password });
      await other.post("/sign-out");
      expect(await (await browser.get("/get-session")).json()).toMatchObject({ user: { email } });
    });

    test("clears a signed cookie that opens no session", async () => {
      const browser = createBrowserLike(system.url);
      browser.cookies.set("auth.session_token", signValue(ring, "A".repeat(32)));
      expect(await readResponse(await browser.post("/sign-out"))).toEqual({
        status: 200,
        body: { success: true },
        cookies: clearing,
      });
    });

    test("needs no body, and ignores one", async () => {
      const { browser } = await signUp(system);
      const response = await fetch(`${system.url}/sign-out`, {
        method: "POST",
        headers: { cookie: `auth.session_token=${browser.cookies.get("auth.session_token")}` },
      });
      expect(response.status).toBe(200);
    });

    test("accepts a bearer token alone", async () => {
      const { browser, token } = await signUp(system);
      const response = await fetch(`${system.url}/sign-out`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await readResponse(response)).toMatchObject({ status: 200, body: { success: true } });
      expect(await (await browser.get("/get-session")).json()).toBeNull();
    });

    const otherRing = createSecretRing(["another secret, of somebody else"]);
    test.each([
      ["no cookie", undefined],
      ["an empty one", ""],
      ["one without a signature", "A".repeat(32)],
      ["one with a bad signature", `${"A".repeat(32)}.${"B".repeat(43)}%3D`],
      ["one signed with another secret", signValue(otherRing, "A".repeat(32))],
    ])("with %s it succeeds and clears the cookies", async (_, cookie) => {
      const browser = createBrowserLike(system.url);
      if (cookie !== undefined) browser.cookies.set("auth.session_token", cookie);
      const { status, body, cookies } = await readResponse(await browser.post("/sign-out"));
      expect([status, body]).toEqual([200, { success: true }]);
      expect(cookies).toEqual(
        ["session_token", "session_data", "dont_remember"].map(
          (name) => `auth.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
        ),
      );
    });

    test("is audited once, even for 16 concurrent calls", async () => {
      const { browser } = await signUp(system);
      const { session } = (await (await browser.get("/get-session")).json()) as {
        session: { id: string };
      };
      const headers = {
        cookie: `auth.session_token=${browser.cookies.get("auth.session_token")}`,
      };
      const answers = await Promise.all(
        Array.from({ length: 16 }, async () =>
          readResponse(await fetch(`${system.url}/sign-out`, { method: "POST", headers })),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
      const audit = await rows.query(
        "select 1 from identity.audit where action = 'session.signed-out' and subject_id = $1",
        session.id,
      );
      expect(audit).toHaveLength(1);
    });
  });
});

/** Runs a system with these options for a group of tests. */
const withOptions = (config: LatchkeyConfig, tests: (system: () => System) => void) => () => {
  const { system } = useSystem({ stores: "postgres", config });
  tests(() => system);
};

describe(
  "with emailAndPassword.enabled false",
  withOptions({ emailAndPassword: { enabled: false } }, (system) => {
    test.each(["ada@example.com", "no address"])("rejects the sign-in of %s", async (email) => {
      const browser = createBrowserLike(system().url);
      expect(await readResponse(await browser.post("/sign-in/email", { email, password }))).toEqual(
        errorResponse(
          400,
          "EMAIL_AND_PASSWORD_IS_NOT_ENABLED",
          "Email and password is not enabled",
        ),
      );
    });

    test("reports a body that fails its schema first", async () => {
      const response = await createBrowserLike(system().url).post("/sign-in/email", {});
      expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR" });
    });
  }),
);

const unverified = errorResponse(403, "EMAIL_NOT_VERIFIED", "Email not verified");
const requireEmailVerification = {
  requireEmailVerification: true,
  disableSignUp: false,
} as const;

describe(
  "with requireEmailVerification",
  withOptions({ emailAndPassword: requireEmailVerification }, (system) => {
    const enter = async (
      email: string,
      own: object = {},
      browser = createBrowserLike(system().url),
    ) => browser.post("/sign-in/email", { email, password, ...own });
    const register = async () => {
      const email = newEmail();
      await createBrowserLike(system().url).post("/sign-up/email", {
        name: "Ada",
        email,
        password,
      });
      return email;
    };

    test("an unverified user gets a new mail instead of a session, and a session once verified", async () => {
      const email = await register();
      await system().smtp.waitForMail(email);
      system().smtp.mails.length = 0;
      const browser = createBrowserLike(system().url);
      expect(await readResponse(await enter(email, { callbackURL: "/in" }, browser))).toEqual({
        ...unverified,
        cookies: [linkCookie],
      });
      const mail = await system().smtp.waitForMail(email);
      const link = new URL(mail.links[0] ?? "");
      expect(link.searchParams.get("callbackURL")).toBe("/in");
      const opened = await followLink(link.href, { browser });
      expect([opened.status, opened.headers.location, opened.cookies]).toEqual([302, "/in", []]);
      expect((await enter(email)).status).toBe(200);
    });

    // Otherwise an attacker could learn which addresses are registered, and send them mails.
    test("a wrong password is rejected before the address is reported or mailed", async () => {
      const email = await register();
      const rows = openRows(system());
      const countRequests = async () =>
        (
          await rows.query(
            `select 1 from identity.audit a join identity."user" u on u.id = a.subject_id
             where a.action = 'verification.requested' and u.email = $1`,
            email,
          )
        ).length;
      const before = await countRequests();
      expect(await readResponse(await enter(email, { password: "wrong password" }))).toEqual(wrong);
      const after = await countRequests();
      await rows.close();
      expect([before, after]).toEqual([1, 1]);
    });
  }),
);

describe(
  "with requireEmailVerification and emailVerification.enabled false",
  withOptions(
    { emailAndPassword: requireEmailVerification, emailVerification: { enabled: false } },
    (system) => {
      test("rejects an unverified user without a mail", async () => {
        const email = newEmail();
        const browser = createBrowserLike(system().url);
        await browser.post("/sign-up/email", { name: "Ada", email, password });
        expect(
          await readResponse(await browser.post("/sign-in/email", { email, password })),
        ).toEqual(unverified);
        const rows = openRows(system());
        const requests = await rows.query(
          "select 1 from identity.audit where action = 'verification.requested'",
        );
        await rows.close();
        expect(requests).toEqual([]);
      });
    },
  ),
);

describe(
  "with secure cookies for a whole domain",
  withOptions(
    {
      baseURL: "https://auth.example.com",
      advanced: {
        crossSubDomainCookies: { enabled: true, domain: "example.com" },
        defaultCookieAttributes: { partitioned: true },
      },
    },
    (system) => {
      test("cookies have the prefix and their attributes in the documented order", async () => {
        const response = await fetch(`${system().url}/sign-up/email`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "Ada", email: newEmail(), password }),
        });
        const { body, cookies } = await readResponse(response);
        const { token } = body as { token: string };
        expect(cookies).toEqual([
          `__Secure-auth.session_token=${signValue(ring, token)}; Max-Age=604800; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax; Partitioned`,
        ]);
        const out = await fetch(`${system().url}/sign-out`, {
          method: "POST",
          headers: { cookie: `__Secure-auth.session_token=${signValue(ring, token)}` },
        });
        expect(out.headers.getSetCookie()[0]).toBe(
          "__Secure-auth.session_token=; Max-Age=0; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax; Partitioned",
        );
      });
    },
  ),
);
