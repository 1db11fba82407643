import { createHmac } from "node:crypto";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue, signVerificationToken } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { Rows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { type StoreKind, testSecret } from "../harness/stores.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { followLink, linkCookie } from "../harness/mailed-links.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const hour = 3_600;

const linkRequested = { status: 200, body: { status: true }, cookies: [] };
/** A browser without a session gets a cookie that identifies it when it opens the link. */
const linkRequestedAnonymously = { ...linkRequested, cookies: [linkCookie] };
const verified = { status: 200, body: { status: true, user: null }, cookies: [] };

const signIn = async (system: System, email: string) => {
  const browser = createBrowserLike(system.url);
  expect((await browser.post("/sign-in/email", { email, password })).status).toBe(200);
  return browser;
};
interface Got {
  session: { token: string; expiresAt: string };
  user: { email: string; emailVerified: boolean };
}
const get = async (browser: BrowserLike) =>
  (await (await browser.get("/get-session")).json()) as Got | null;
const isVerified = async (browser: BrowserLike) => (await get(browser))?.user.emailVerified;

/** Returns a token as in a mail. */
const tokenFor = (
  email: string,
  own: { at?: number; updateTo?: string; ring?: typeof ring } = {},
) =>
  signVerificationToken(
    own.ring ?? ring,
    { email, ...(own.updateTo === undefined ? {} : { updateTo: own.updateTo }) },
    { now: new Date(own.at ?? Date.now()), expiresInSeconds: hour },
  );
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Returns a token with any header and payload, signed with our own secret. */
const forge = (header: object, payload: object, hash = "sha256") => {
  const text = `${base64url(header)}.${base64url(payload)}`;
  return `${text}.${createHmac(hash, testSecret).update(text).digest("base64url")}`;
};
const open = (system: System, query: Record<string, string>, browser?: BrowserLike) =>
  (browser ?? createBrowserLike(system.url)).get(
    `/verify-email?${new URLSearchParams(query).toString()}`,
  );

const audited = async (rows: Rows, action: string, subjectId?: string) =>
  (
    await rows.query(
      "select 1 from identity.audit where action = $1 and ($2::text is null or subject_id = $2)",
      action,
      subjectId ?? null,
    )
  ).length;

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
  const { system, rows } = useSystem({ stores });
  const anonymous = () => createBrowserLike(system.url);
  const send = async (browser: BrowserLike, body: unknown) =>
    readResponse(await browser.post("/send-verification-email", body));
  const mailsAsked = () => audited(rows, "verification.requested");

  describe("send-verification-email", () => {
    test("a signed-in user gets the mail, and its link verifies the address", async () => {
      const { browser, email } = await signUp(system);
      expect(await send(browser, { email, callbackURL: "/done?a=1&b=2" })).toEqual(linkRequested);
      const mail = await system.smtp.waitForMail(email);
      expect(mail.to).toEqual([email]);
      const link = new URL(mail.links[0] ?? "");
      expect(link.origin + link.pathname).toBe(`${system.url}/verify-email`);
      expect([...link.searchParams.keys()]).toEqual(["token", "callbackURL"]);
      expect(link.searchParams.get("callbackURL")).toBe("/done?a=1&b=2");
      const opened = await followLink(link.href, { browser });
      expect([opened.status, opened.headers.location, opened.text]).toEqual([
        302,
        "/done?a=1&b=2",
        "",
      ]);
      expect(await isVerified(browser)).toBe(true);
    });

    test("a signed-out user gets the mail too", async () => {
      const { email } = await signUp(system);
      expect(await send(anonymous(), { email: email.toUpperCase() })).toEqual(
        linkRequestedAnonymously,
      );
      const mail = await system.smtp.waitForMail(email);
      expect(new URL(mail.links[0] ?? "").searchParams.get("callbackURL")).toBe("/");
    });

    // Otherwise an attacker could learn which addresses are registered, and which of them are verified.
    test("callers without a session get the same answer for unknown, verified and unverified addresses", async () => {
      const [plain, done] = [await signUp(system), await signUp(system)];
      await open(system, { token: await tokenFor(done.email) });
      const before = await mailsAsked();
      expect(await send(anonymous(), { email: newEmail() })).toEqual(linkRequestedAnonymously);
      expect(await send(anonymous(), { email: done.email })).toEqual(linkRequestedAnonymously);
      expect(await mailsAsked()).toBe(before);
      expect(await send(anonymous(), { email: plain.email })).toEqual(linkRequestedAnonymously);
      expect(await mailsAsked()).toBe(before + 1);
    });

    test("rejects a verified user, for any address", async () => {
      const [{ browser, email }, other] = [await signUp(system), await signUp(system)];
      await open(system, { token: await tokenFor(email) });
      const before = await mailsAsked();
      for (const address of [email, other.email, newEmail()])
        expect(await send(browser, { email: address })).toEqual(
          errorResponse(
            400,
            "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL",
            "You can only send a verification email to an unverified email",
          ),
        );
      expect(await mailsAsked()).toBe(before);
    });

    test("rejects an unverified user for any address but their own", async () => {
      const [{ browser }, other] = [await signUp(system), await signUp(system)];
      const before = await mailsAsked();
      for (const address of [other.email, newEmail()])
        expect(await send(browser, { email: address })).toEqual(
          errorResponse(
            400,
            "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL",
            "You can only send a verification email to your own email",
          ),
        );
      expect(await mailsAsked()).toBe(before);
    });

    test.each([{}, { email: null }, { email: "ada" }, { email: "a@b" }, { email: "a @c.co" }])(
      "rejects the body %j",
      async (body) => {
        expect(await send(anonymous(), body)).toEqual({
          status: 400,
          body: {
            code: "VALIDATION_ERROR",
            message: "Invalid body parameters",
            issues: [{ path: "email", message: expect.any(String) }],
          },
          cookies: [],
        });
      },
    );

    test("rejects untrusted callback URLs", async () => {
      const { browser, email } = await signUp(system);
      const before = await mailsAsked();
      expect(await send(browser, { email, callbackURL: "https://evil.example" })).toEqual(
        errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
      );
      expect(await mailsAsked()).toBe(before);
    });

    test("requesting a mail does not affect the session", async () => {
      const { browser, email } = await signUp(system);
      const before = await get(browser);
      await send(browser, { email });
      expect(await get(browser)).toEqual(before);
    });
  });

  describe("verify-email", () => {
    test("without a callback URL it returns the status and sets no cookie", async () => {
      const { browser, email, user } = await signUp(system);
      const response = await open(system, { token: await tokenFor(email) }, browser);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await readResponse(response)).toEqual(verified);
      expect(await isVerified(browser)).toBe(true);
      expect(await audited(rows, "user.email-verified", user.id)).toBe(1);
    });

    test("all sessions of the user see it in their next get-session", async () => {
      const { browser, email } = await signUp(system);
      const others = [await signIn(system, email), await signIn(system, email)];
      await open(system, { token: await tokenFor(email) });
      const flags = await Promise.all([browser, ...others].map(isVerified));
      expect(flags).toEqual([true, true, true]);
    });

    test("with a callback URL it redirects, without a body", async () => {
      const { email } = await signUp(system);
      const token = await tokenFor(email);
      const response = await open(system, { token, callbackURL: "/in?a=1" });
      expect(response.headers.get("location")).toBe("/in?a=1");
      expect(await readResponse(response)).toEqual({ status: 302, body: undefined, cookies: [] });
    });

    test("an empty callback URL counts as none", async () => {
      const { email } = await signUp(system);
      const response = await open(system, { token: await tokenFor(email), callbackURL: "" });
      expect(await readResponse(response)).toEqual(verified);
    });

    test("a link that is opened again verifies the address once, and reports it as verified", async () => {
      const { email, user } = await signUp(system);
      const token = await tokenFor(email);
      const answers = await Promise.all(
        Array.from({ length: 16 }, async () => readResponse(await open(system, { token }))),
      );
      expect(answers).toEqual(Array.from({ length: 16 }, () => verified));
      expect(await readResponse(await open(system, { token }))).toEqual(verified);
      expect(await audited(rows, "user.email-verified", user.id)).toBe(1);
    });

    test("compares the address in a token without case", async () => {
      const { email, browser } = await signUp(system);
      const token = forge({ alg: "HS256" }, { email: email.toUpperCase(), exp: 4_000_000_000 });
      expect(await readResponse(await open(system, { token }))).toEqual(verified);
      expect(await isVerified(browser)).toBe(true);
    });

    test("accepts a token without an expiry", async () => {
      const { email } = await signUp(system);
      const token = forge({ alg: "HS256" }, { email });
      expect(await readResponse(await open(system, { token }))).toEqual(verified);
    });

    const foreign = createSecretRing(["another secret, of somebody else"]);
    const nowSeconds = () => Math.floor(Date.now() / 1000);
    const later = () => ({ iat: nowSeconds(), exp: nowSeconds() + hour });
    const badTokens: [string, string, (email: string) => string | Promise<string>][] = [
      [
        "that has expired",
        "token_expired",
        (email) => tokenFor(email, { at: Date.now() - 2 * hour * 1000 }),
      ],
      [
        "that expires at this very second",
        "token_expired",
        (email) => forge({ alg: "HS256" }, { email, exp: nowSeconds() }),
      ],
      ["that is empty", "invalid_token", () => ""],
      ["that is none", "invalid_token", () => "no token"],
      [
        "whose payload was changed",
        "invalid_token",
        async (email) => {
          const [header, , signature] = (await tokenFor("eve@example.com")).split(".");
          return `${header}.${base64url({ email, ...later() })}.${signature}`;
        },
      ],
      [
        "whose signature was changed",
        "invalid_token",
        async (email) => (await tokenFor(email)).replace(/.{5}$/, "AAAAA"),
      ],
      [
        "whose signature was cut off",
        "invalid_token",
        async (email) => (await tokenFor(email)).replace(/[^.]+$/, ""),
      ],
      ["of another secret", "invalid_token", (email) => tokenFor(email, { ring: foreign })],
      [
        "of another secret that has also expired",
        "invalid_token",
        (email) => tokenFor(email, { ring: foreign, at: 0 }),
      ],
      [
        "of the algorithm none",
        "invalid_token",
        (email) => `${base64url({ alg: "none" })}.${base64url({ email, ...later() })}.`,
      ],
      [
        "of the algorithm none with a signature of ours",
        "invalid_token",
        (email) => forge({ alg: "none" }, { email, ...later() }),
      ],
      [
        "of the algorithm HS512 with our secret",
        "invalid_token",
        (email) => forge({ alg: "HS512" }, { email, ...later() }, "sha512"),
      ],
      [
        "that is not valid yet",
        "invalid_token",
        (email) => forge({ alg: "HS256" }, { email, ...later(), nbf: nowSeconds() + 100 }),
      ],
      ["without an address", "invalid_token", () => forge({ alg: "HS256" }, later())],
      [
        "whose address is no text",
        "invalid_token",
        (email) => forge({ alg: "HS256" }, { email: [email], ...later() }),
      ],
      ["of a user who does not exist", "user_not_found", () => tokenFor(newEmail())],
      [
        "that changes an address, without a session",
        "unauthorized",
        (email) => tokenFor(email, { updateTo: newEmail() }),
      ],
    ];

    test.each(badTokens)(
      "rejects a token %s as %s, here or at the callback URL, and verifies nothing",
      async (_, error, make) => {
        const { browser, email } = await signUp(system);
        const token = await make(email);
        expect(await readResponse(await open(system, { token }))).toEqual(
          errorResponse(401, error.toUpperCase(), error),
        );
        const places = [
          ["/in", `/in?error=${error}`],
          ["/in?a=1", `/in?a=1&error=${error}`],
          [`${system.origin}/in`, `${system.origin}/in?error=${error}`],
        ];
        for (const [callbackURL = "", location] of places) {
          const response = await open(system, { token, callbackURL });
          expect(response.headers.get("location")).toBe(location);
          expect(await readResponse(response)).toEqual({
            status: 302,
            body: undefined,
            cookies: [],
          });
        }
        expect(await isVerified(browser)).toBe(false);
      },
    );

    test("rejects a token that changes an address from another user, and changes nothing", async () => {
      const [ada, mallory] = [await signUp(system), await signUp(system)];
      const token = await tokenFor(ada.email, { updateTo: newEmail() });
      expect(await readResponse(await open(system, { token }, mallory.browser))).toEqual(
        errorResponse(401, "UNAUTHORIZED", "unauthorized"),
      );
      expect((await get(ada.browser))?.user).toMatchObject({
        email: ada.email,
        emailVerified: false,
      });
    });

    test("a token that changes an address does so for the signed-in user, and mails the new one", async () => {
      const { browser, email, token, user } = await signUp(system);
      const other = await signIn(system, email);
      const updateTo = newEmail();
      const link = await tokenFor(email, { updateTo });
      const { status, body, cookies } = await readResponse(
        await open(system, { token: link }, browser),
      );
      expect(status).toBe(200);
      expect(body).toStrictEqual({
        status: true,
        user: {
          id: user.id,
          name: "Ada",
          email: updateTo,
          emailVerified: false,
          image: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      });
      expect(cookies).toEqual([
        expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=60\d{4}; Path=\//),
      ]);
      expect(cookies[0]).toContain(`=${signValue(ring, token)};`);
      for (const holder of [browser, other])
        expect((await get(holder))?.user).toMatchObject({ email: updateTo, emailVerified: false });
      const mail = await system.smtp.waitForMail(updateTo);
      const next = new URL(mail.links[0] ?? "");
      expect(next.searchParams.get("callbackURL")).toBe("/");
      await followLink(next.href, { browser });
      expect(await isVerified(browser)).toBe(true);
      expect(await readResponse(await open(system, { token: link }, browser))).toEqual(
        errorResponse(401, "USER_NOT_FOUND", "user_not_found"),
      );
    });

    test("rejects a change to an address that was taken meanwhile", async () => {
      const [ada, grace] = [await signUp(system), await signUp(system)];
      const token = await tokenFor(ada.email, { updateTo: grace.email.toUpperCase() });
      expect(await readResponse(await open(system, { token }, ada.browser))).toEqual(
        errorResponse(400, "COULDNT_UPDATE_YOUR_EMAIL", "Couldn't update your email"),
      );
      expect((await get(ada.browser))?.user.email).toBe(ada.email);
    });

    matrixTest(
      "one of 16 concurrent uses of a token that changes an address succeeds, and none fails",
      async () => {
        const { browser, email, user } = await signUp(system);
        const token = await tokenFor(email, { updateTo: newEmail() });
        const headers = {
          cookie: `auth.session_token=${browser.cookies.get("auth.session_token")}`,
        };
        const url = `${system.url}/verify-email?token=${token}`;
        const statuses = await Promise.all(
          Array.from({ length: 16 }, async () => (await fetch(url, { headers })).status),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        expect(await audited(rows, "user.email-replaced", user.id)).toBe(1);
      },
    );

    test.each([
      "https://evil.example",
      "//evil.example",
      "javascript:alert(1)",
      "/in#there",
      "/%2f/evil.example",
    ])("never redirects to %s, not even with an error", async (callbackURL) => {
      const { browser, email } = await signUp(system);
      const expected = errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL");
      for (const token of [await tokenFor(email), "no token"])
        expect(await readResponse(await open(system, { token, callbackURL }))).toEqual(expected);
      expect(await isVerified(browser)).toBe(false);
    });

    test.each([
      "",
      "?callbackURL=https://evil.example",
      "?token=a&token=b",
      "?token=a&callbackURL=/a&callbackURL=/b",
    ])("rejects the query %j before anything else", async (query) => {
      const response = await fetch(`${system.url}/verify-email${query}`);
      expect(await readResponse(response)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", message: "Invalid query parameters" },
        cookies: [],
      });
    });
  });
});

describe.each(matrix("redis", "postgres"))(
  "with autoSignInAfterVerification and sessions in %s",
  (stores) => {
    /** Whether the application's hook vetoes sessions. */
    let vetoes = false;
    afterEach(() => {
      vetoes = false;
    });
    const config: LatchkeyConfig = {
      emailVerification: { autoSignInAfterVerification: true },
      databaseHooks: { session: { create: { before: () => (vetoes ? false : undefined) } } },
    };
    withStack(stores, config, (system) => {
      /** Asserts that exactly one cookie is set, with a Max-Age in seconds within the range. */
      const expectIssued = (cookies: string[], token: string, [from, to]: [number, number]) => {
        const maxAge = Number(/; Max-Age=(\d+);/.exec(cookies[0] ?? "")?.[1]);
        expect(maxAge).toBeGreaterThanOrEqual(from);
        expect(maxAge).toBeLessThanOrEqual(to);
        expect(cookies).toEqual([
          `auth.session_token=${signValue(ring, token)}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`,
        ]);
      };

      test("signs in a browser without a session, on the redirect too", async () => {
        for (const own of [{}, { callbackURL: "/in" }]) {
          const { email } = await signUp(system());
          const browser = createBrowserLike(system().url);
          const { cookies } = await readResponse(
            await open(system(), { token: await tokenFor(email), ...own }, browser),
          );
          const now = await get(browser);
          expect(now?.user).toMatchObject({ email, emailVerified: true });
          expectIssued(cookies, now?.session.token ?? "", [604_800, 604_800]);
        }
      });

      test("keeps the user's own session, and sets its cookie again", async () => {
        const { email, browser, token } = await signUp(system());
        const { cookies } = await readResponse(
          await open(system(), { token: await tokenFor(email) }, browser),
        );
        expectIssued(cookies, token, [604_000, 604_800]);
        const listed = (await (await browser.get("/list-sessions")).json()) as unknown[];
        expect(listed).toHaveLength(1);
        expect(await isVerified(browser)).toBe(true);
      });

      test("replaces another user's session by a new one of the verified user", async () => {
        const [ada, grace] = [await signUp(system()), await signUp(system())];
        await open(system(), { token: await tokenFor(ada.email) }, grace.browser);
        expect((await get(grace.browser))?.user.email).toBe(ada.email);
      });

      test("a session that ends with the browser still does", async () => {
        const { email } = await signUp(system());
        const browser = createBrowserLike(system().url);
        await browser.post("/sign-in/email", { email, password, rememberMe: false });
        await open(system(), { token: await tokenFor(email) }, browser);
        expect(browser.cookies.has("auth.dont_remember")).toBe(true);
        const { expiresAt } = (await get(browser))?.session ?? { expiresAt: "" };
        expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 86_400_000);
      });

      test.each([{}, { callbackURL: "/in" }])(
        "reports a vetoed session as an error: %j",
        async (own) => {
          const { email } = await signUp(system());
          vetoes = true;
          expect(
            await readResponse(await open(system(), { token: await tokenFor(email), ...own })),
          ).toEqual(errorResponse(500, "FAILED_TO_CREATE_SESSION", "Failed to create session"));
        },
      );

      test("a bad token signs nobody in", async () => {
        const response = await open(system(), { token: "no token", callbackURL: "/in" });
        expect(response.headers.getSetCookie()).toEqual([]);
      });
    });
  },
);

describe("with emailVerification.enabled false, and mail.inertLinks off", () => {
  const config: LatchkeyConfig = {
    emailVerification: { enabled: false },
    mail: { inertLinks: "off" },
  };
  withStack("postgres", config, (system) => {
    test("a link works wherever it is opened", async () => {
      const { email, browser } = await signUp(system());
      const link = `/verify-email?token=${await tokenFor(email)}&callbackURL=/in`;
      expect((await followLink(system().url + link)).headers.location).toBe("/in");
      expect(await isVerified(browser)).toBe(true);
    });

    const disabled = errorResponse(
      400,
      "VERIFICATION_EMAIL_ISNT_ENABLED",
      "Verification email isn't enabled",
    );
    const send = async (browser: BrowserLike, email: string) =>
      readResponse(await browser.post("/send-verification-email", { email }));

    test("rejects requests for a mail, for any caller and address", async () => {
      const { browser, email } = await signUp(system());
      expect(await send(browser, email)).toEqual(disabled);
      expect(await send(browser, newEmail())).toEqual(disabled);
      expect(await send(createBrowserLike(system().url), newEmail())).toEqual(disabled);
      expect((await send(browser, "no address")).body).toMatchObject({ code: "VALIDATION_ERROR" });
    });
  });
});

describe("with emailVerification.expiresIn and onEmailVerification", () => {
  const calls: { email: string; emailVerified: boolean }[] = [];
  let refuses = false;
  afterEach(() => {
    calls.length = 0;
    refuses = false;
  });
  const config: LatchkeyConfig = {
    logger: { disabled: true },
    mail: { inertLinks: "always" },
    emailVerification: {
      expiresIn: 60,
      onEmailVerification: (user) => {
        calls.push(user);
        if (refuses) throw new Error("the application is not well");
      },
    },
  };
  withStack("postgres", config, (system) => {
    test("a mailed token has the configured lifetime", async () => {
      const { browser, email } = await signUp(system());
      await browser.post("/send-verification-email", { email });
      const mail = await system().smtp.waitForMail(email);
      const token = new URL(mail.links[0] ?? "").searchParams.get("token") ?? "";
      const [header, payload] = token
        .split(".")
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as { iat: number });
      expect(header).toEqual({ alg: "HS256" });
      expect(payload).toEqual({
        email,
        iat: expect.any(Number),
        exp: (payload?.iat ?? 0) + 60,
        jti: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
        byUser: true,
      });
    });

    test("the application is notified before the address is verified, and not when the link is opened again", async () => {
      const { email, user } = await signUp(system());
      const token = await tokenFor(email);
      await open(system(), { token });
      await open(system(), { token });
      expect(calls).toEqual([
        expect.objectContaining({ id: user.id, email, emailVerified: false }),
      ]);
    });

    test("if links are always inert, even the requesting browser must confirm, and a client call works", async () => {
      const { email, browser } = await signUp(system());
      const token = await tokenFor(email);
      const link = `${system().url}/verify-email?token=${token}&callbackURL=/`;
      const page = await followLink(link, { browser });
      expect([page.status, page.headers["content-type"]]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect([calls, await isVerified(browser)]).toEqual([[], false]);
      await open(system(), { token }, browser);
      expect(await isVerified(browser)).toBe(true);
    });

    test("the application is not notified of a bad token", async () => {
      await open(system(), { token: "no token" });
      await open(system(), { token: await tokenFor(newEmail()) });
      expect(calls).toEqual([]);
    });

    test("a failing notification fails the request, and nothing is verified", async () => {
      const { browser, email } = await signUp(system());
      refuses = true;
      const response = await open(system(), { token: await tokenFor(email) });
      expect(await readResponse(response)).toEqual({ status: 500, body: undefined, cookies: [] });
      expect(await isVerified(browser)).toBe(false);
    });
  });
});
