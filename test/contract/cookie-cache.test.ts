import {
  createSecretRing,
  decodeSessionData,
  encodeSessionData,
  type SecretRing,
  signValue,
} from "@latchkey/crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  cachingConfig,
  getCachedSession,
  getCachedSessionUntil,
  sessionDataCookie,
  sessionTokenCookie,
  untilCached,
  withCookiesOf,
} from "../harness/cached-sessions.ts";
import { sessionStores } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const older = "the older secret, on its way out";
const ring = createSecretRing([testSecret]);
const attributes = "Path=/; HttpOnly; SameSite=Lax";
const cleared = `${sessionDataCookie}=; Max-Age=0; ${attributes}`;
const isFresh = (line = "") =>
  line.startsWith(`${sessionDataCookie}=e`) && line.endsWith(`; Max-Age=300; ${attributes}`);

/** Decodes a cached session without checking its signature. */
const opened = (value: string) => {
  const decoded = decodeSessionData(ring, value, new Date());
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.data;
};
const copyOf = ({ browser }: TestUser) => browser.cookies.get(sessionDataCookie) ?? "";

/** Returns how often all replicas of identity were asked for a session. */
const askedIdentity = async ({ urlsOf }: System): Promise<number> => {
  const answers = urlsOf("identity").map(async (url) => (await fetch(`${url}/metrics`)).text());
  const counted = (await Promise.all(answers))
    .join("\n")
    .matchAll(/^latchkey_request_seconds_count\{.*operation="getSession".*\} (\d+)$/gm);
  return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  let ada: TestUser;
  const additionalFields = {
    plan: { type: "string", defaultValue: "free" },
    seats: { type: "number", required: false },
    since: { type: "date", defaultValue: () => new Date(0) },
    tags: { type: "string[]", defaultValue: () => ["ä", "\u2028"] },
    hidden: { type: "string", defaultValue: "a secret", returned: false },
  } as const;
  const { system } = useSystem({
    stores,
    config: cachingConfig({ secret: [testSecret, older], user: { additionalFields } }),
  });
  beforeEach(async () => {
    ada = await signUp(system);
    await untilCached(ada.browser);
  });

  test("the gateway's own answer is identical to identity's", async () => {
    const { before, cached } = await until(async () => {
      const before = await askedIdentity(system);
      const cached = await getCachedSession(ada.browser);
      return cached.isCached ? { before, cached } : undefined;
    });
    expect(cached.cookies).toEqual([]);
    expect(await askedIdentity(system)).toBe(before);
    const uncached = await getCachedSession(ada.browser, "?disableCookieCache=true");
    expect([uncached.isCached, uncached.text]).toEqual([false, cached.text]);
    expect(await askedIdentity(system)).toBe(before + 1);
    expect(cached.text).toContain('"plan":"free"');
    expect(Buffer.from(copyOf(ada), "base64url").toString()).not.toContain("a secret");
  });

  test("a cached session is set with each session, lives five minutes, and is renewed by each answer of identity", async () => {
    const answer = await createBrowserLike(system.url).post("/sign-in/email", {
      email: ada.email,
      password,
    });
    expect(answer.headers.getSetCookie().filter(isFresh)).toHaveLength(1);
    const { expiresAt } = opened(copyOf(ada));
    const { cookies } = await getCachedSession(ada.browser, "?disableCookieCache=true");
    expect(cookies.map(isFresh)).toEqual([true]);
    expect(opened(copyOf(ada)).expiresAt).toBeGreaterThan(expiresAt);
  });

  test("a session that ends with the browser is cached only from its sign-in", async () => {
    const browser = createBrowserLike(system.url);
    const credentials = { email: ada.email, password, rememberMe: false };
    const answer = await browser.post("/sign-in/email", credentials);
    expect(answer.headers.getSetCookie().filter(isFresh)).toHaveLength(1);
    await untilCached(browser);
    const { isCached, cookies } = await getCachedSession(browser, "?disableCookieCache=true");
    expect([isCached, cookies]).toEqual([false, []]);
  });

  test("a change of the user is visible at once in the new cached session, and no older one is accepted", async () => {
    const elsewhere = withCookiesOf(system.url, ada.browser);
    expect((await ada.browser.post("/update-user", { name: "Augusta" })).status).toBe(200);
    expect((await untilCached(ada.browser)).user?.name).toBe("Augusta");
    expect((await getCachedSession(elsewhere)).user?.name).toBe("Augusta");
    expect((await untilCached(elsewhere)).user?.name).toBe("Augusta");
  });

  test("a query that identity rejects is rejected with a cached session too", async () => {
    const query = "?disableCookieCache=true&disableCookieCache=true";
    const refused = await readResponse(await ada.browser.get(`/get-session${query}`));
    expect(refused).toMatchObject(
      errorResponse(400, "VALIDATION_ERROR", "Invalid query parameters"),
    );
    await untilCached(ada.browser, "?disableRefresh=true");
  });

  test("a sign-out clears the cached session", async () => {
    const answer = await ada.browser.post("/sign-out");
    expect(answer.headers.getSetCookie()).toContain(cleared);
    expect(ada.browser.cookies.size).toBe(0);
  });

  describe("a cached session is not accepted", () => {
    /** Signs up a user whose browser holds a foreign cached session next to its own token. */
    const holding = (copy: string) => {
      const browser = withCookiesOf(system.url, ada.browser);
      browser.cookies.set(sessionDataCookie, copy);
      return browser;
    };
    const signedAnew = (
      change: (inner: { session: object; user: object; epoch?: number }) => object,
      {
        signing = ring,
        expiresAt = Date.now() + 60_000,
      }: { signing?: SecretRing; expiresAt?: number } = {},
    ) => {
      const session = change(opened(copyOf(ada)).session) as ReturnType<typeof opened>["session"];
      return encodeSessionData(signing, { session, expiresAt });
    };
    const same = (inner: object) => inner;
    /** Changes the signed content but keeps the signature. */
    const edited = (from: string | RegExp, to: string) =>
      Buffer.from(Buffer.from(copyOf(ada), "base64url").toString().replace(from, to)).toString(
        "base64url",
      );

    /** Attacks: values that the holder of a session could send. */
    test.each<[string, () => string]>([
      ["that is empty", () => ""],
      ["that is no base64", () => "@@@"],
      ["that is base64 of no JSON", () => Buffer.from("no JSON").toString("base64url")],
      ["that is cut off", () => copyOf(ada).slice(0, -7)],
      ["that goes on", () => `${copyOf(ada)}AAAA`],
      [
        "of another secret",
        () => signedAnew(same, { signing: createSecretRing(["a stranger's"]) }),
      ],
      ["with another role", () => edited('"role":"user"', '"role":"admin"')],
      ["with a later epoch", () => edited(/"epoch":\d+/, '"epoch":999999')],
      ["with a longer life", () => edited(/"expiresAt":(\d)(\d{12}),"sig/, '"expiresAt":9$2,"sig')],
      ["that has expired", () => signedAnew(same, { expiresAt: Date.now() - 1 })],
      [
        "of a session that has expired",
        () =>
          signedAnew((inner) => ({
            ...inner,
            session: { ...inner.session, expiresAt: new Date(Date.now() - 1).toISOString() },
          })),
      ],
      ["that nobody counted", () => signedAnew(({ session, user }) => ({ session, user }))],
      ["of an earlier epoch", () => signedAnew((inner) => ({ ...inner, epoch: 0 }))],
    ])("%s: identity answers, and replaces it by a valid one", async (_case, forge) => {
      // A user without changes has the first user revision, so change the user once.
      await ada.browser.post("/update-user", { name: "Ada" });
      const browser = holding(forge());
      const answer = await getCachedSessionUntil(browser, ({ isCached }) => !isCached);
      const { user, isCached, cookies } = answer;
      expect([user?.id, isCached, cookies.map(isFresh)]).toEqual([ada.user.id, false, [true]]);
      await untilCached(browser);
    });

    test("next to the token of another user: the token decides", async () => {
      const bob = await signUp(system);
      const browser = holding(copyOf(bob));
      const shown = await getCachedSession(browser);
      expect([shown.user?.id, shown.isCached]).toEqual([ada.user.id, false]);
    });

    test("next to another session's token of the same user", async () => {
      const again = createBrowserLike(system.url);
      await again.post("/sign-in/email", { email: ada.email, password });
      const { isCached } = await getCachedSession(
        holding(again.cookies.get(sessionDataCookie) ?? ""),
      );
      expect(isCached).toBe(false);
    });

    test("without a token, or next to an unsigned one", async () => {
      const bare = createBrowserLike(system.url);
      bare.cookies.set(sessionDataCookie, copyOf(ada));
      expect(await getCachedSession(bare)).toMatchObject({ text: "null", cookies: [] });
      bare.cookies.set(sessionTokenCookie, ada.token);
      expect(await getCachedSession(bare)).toMatchObject({ text: "null", cookies: [] });
    });

    test("next to a bearer token", async () => {
      const headers = {
        cookie: `${sessionDataCookie}=${copyOf(ada)}`,
        authorization: `Bearer ${ada.token}`,
      };
      const answer = await fetch(`${system.url}/get-session`, { headers });
      expect(answer.headers.has("set-auth-jwt")).toBe(true);
      expect(await answer.json()).toMatchObject({ user: { id: ada.user.id } });
    });

    test("an invalid one is cleared, with its whole path", async () => {
      const browser = holding("@@@");
      browser.cookies.set("auth.dont_remember", signValue(ring, "true"));
      const { user, cookies } = await getCachedSession(browser);
      expect([user?.id, cookies]).toEqual([ada.user.id, [cleared]]);
    });

    test("except that a retiring secret is still accepted", async () => {
      const copy = signedAnew(same, { signing: createSecretRing([older]) });
      await untilCached(holding(copy));
    });
  });

  test("a session that is too large for a cookie works without the cache", async () => {
    const before = copyOf(ada);
    const image = `https://example.com/${"ü".repeat(3_000)}`;
    const changed = await ada.browser.post("/update-user", { image });
    expect([changed.status, changed.headers.getSetCookie()]).toEqual([
      200,
      expect.arrayContaining([cleared]),
    ]);
    const shown = await getCachedSession(ada.browser);
    expect([shown.status, shown.user?.id, shown.cookies]).toEqual([200, ada.user.id, []]);
    ada.browser.cookies.set(sessionDataCookie, before);
    expect(JSON.parse((await getCachedSession(ada.browser)).text)).toMatchObject({
      user: { image },
    });
    const again = createBrowserLike(system.url);
    const answer = await again.post("/sign-in/email", { email: ada.email, password });
    expect([answer.status, again.cookies.has(sessionDataCookie)]).toEqual([200, false]);
  });
});

describe("with the cache off", () => {
  const { user: ada } = useSystem({
    stores: "postgres",
    config: cachingConfig({ session: { cookieCache: { enabled: false } } }),
  });

  test("sets no cached session, ignores existing ones and clears invalid ones", async () => {
    expect(ada.browser.cookies.has(sessionDataCookie)).toBe(false);
    const { text } = await getCachedSession(ada.browser);
    const session = { ...(JSON.parse(text) as { session: object; user: object }), epoch: 999_999 };
    const copy = encodeSessionData(ring, { session, expiresAt: Date.now() + 60_000 });
    ada.browser.cookies.set(sessionDataCookie, copy);
    expect(await getCachedSession(ada.browser)).toMatchObject({ isCached: false, cookies: [] });
    ada.browser.cookies.set(sessionDataCookie, `${copy.slice(0, -1)}@`);
    expect(await getCachedSession(ada.browser)).toMatchObject({ text, cookies: [cleared] });
  });
});

describe("with the application's hooks on requests", () => {
  let seenPaths: string[];
  const before = ({ path }: { path: string }) => seenPaths.push(path);
  const { system } = useSystem({
    stores: "postgres",
    config: cachingConfig({ hooks: { before } }),
  });

  test("each request reaches them, even with cached sessions", async () => {
    seenPaths = [];
    const { browser } = await signUp(system);
    expect(browser.cookies.has(sessionDataCookie)).toBe(true);
    expect((await getCachedSession(browser)).isCached).toBe(false);
    expect(seenPaths).toEqual(["/sign-up/email", "/get-session"]);
  });
});
