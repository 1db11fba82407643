import type { LatchkeyConfig, SessionEffect } from "@latchkey/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signCookie } from "../harness/raw-sessions.ts";
import { jsonRequest, type RawResponse, sendRaw } from "../harness/send-raw.ts";
import { startGatewayOfStub, type StubbedGateway } from "../harness/stub-identity.ts";

const baseURL = "https://id.example.com";
const app = "https://app.example.com";
const base = `${baseURL}/api/auth`;
const config: LatchkeyConfig = {
  baseURL,
  trustedOrigins: [app],
  advanced: { useSecureCookies: false },
  onAPIError: { errorURL: "https://status.example.net/problem" },
  socialProviders: {
    own: { clientId: "b", issuer: "https://sso.example.org/realm", responseMode: "form_post" },
  },
};

let proxy: StubbedGateway;
beforeAll(async () => {
  proxy = await startGatewayOfStub(config);
});
afterAll(() => proxy.stop());

type Headers = Record<string, string>;

const begin = (headers: Headers = {}) => {
  const request = jsonRequest({ provider: "own" });
  return sendRaw(proxy.origin, {
    ...request,
    target: "/api/auth/sign-in/social",
    headers: { ...request.headers, ...headers },
  });
};
const target = "/api/auth/callback/own";
const comeBack = (headers: Headers = {}) =>
  sendRaw(proxy.origin, { target: `${target}?code=a&state=b`, headers });
const post = (headers: Headers = {}, to = target) =>
  sendRaw(proxy.origin, {
    method: "POST",
    target: to,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: "code=a&state=b",
  });
const sentOn = (location: string, effect?: SessionEffect) =>
  proxy.respond({ status: 302, headers: { location }, ...(effect ? { effect } : {}) });
const errorOf = ({ status, text }: RawResponse) => [
  status,
  (JSON.parse(text) as { code: string }).code,
];

const state = `${"s".repeat(32)}.${"d-_".repeat(900)}`;
const stateCookie = `auth.state=${signCookie(state)}`;
const sessionCookie = `auth.session_token=${signCookie("t".repeat(32))}`;

describe("the state cookie of a provider sign-in", () => {
  test("is the only cookie that the start sets", async () => {
    proxy.respond({ effect: { kind: "state", state, maxAgeSeconds: 600 } });
    const { cookies, headers } = await begin({ cookie: sessionCookie, origin: app });
    expect(cookies).toEqual([`${stateCookie}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`]);
    expect(headers).not.toHaveProperty("set-auth-token");
    expect(headers).not.toHaveProperty("x-latchkey-effect");
  });

  test("is passed as state to the callbacks only", async () => {
    sentOn("/");
    proxy.requests.length = 0;
    const cookie = `${sessionCookie}; ${stateCookie}`;
    await comeBack({ cookie });
    await post({ cookie });
    await begin({ cookie });
    const callers = proxy.requests.map(({ caller }) => caller);
    expect(callers.map(({ operation, signInState }) => [operation, signInState])).toEqual([
      ["callback", state],
      ["callbackPost", state],
      ["signInSocial", undefined],
    ]);
    expect(callers.map(({ sessionToken }) => sessionToken)).toEqual(
      Array.from({ length: 3 }, () => "t".repeat(32)),
    );
  });

  test.each([
    ["unsigned", `auth.state=${state}`],
    ["changed", `auth.state=x${signCookie(state)}`],
    [
      "signed by another secret",
      `auth.state=${signCookie(state, "another secret of enough length")}`,
    ],
    ["absent", sessionCookie],
  ])("is not passed if it is %s", async (_case, cookie) => {
    sentOn("/");
    proxy.requests.length = 0;
    await comeBack({ cookie });
    expect(proxy.requests[0]?.caller).not.toHaveProperty("signInState");
  });

  test("is cleared by the callback's answer: after the session's cookies, or alone", async () => {
    const gone = "auth.state=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
    const token = "n".repeat(32);
    sentOn(app, { kind: "issue", token, maxAgeSeconds: 604_800, endsState: true });
    const { cookies, headers } = await comeBack({ cookie: stateCookie });
    expect(cookies).toEqual([
      `auth.session_token=${signCookie(token)}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
      gone,
    ]);
    expect(headers["set-auth-token"]).toBe(signCookie(token));
    sentOn(app, { kind: "state", state: null, maxAgeSeconds: 0 });
    expect((await comeBack({ cookie: `${stateCookie}; ${sessionCookie}` })).cookies).toEqual([
      gone,
    ]);
  });

  test("fails the sign-in if it is too large for browsers", async () => {
    proxy.respond({ effect: { kind: "state", state: "s".repeat(4_096), maxAgeSeconds: 600 } });
    const answer = await begin();
    expect([...errorOf(answer), answer.cookies]).toEqual([
      500,
      "UNABLE_TO_CREATE_VERIFICATION",
      [],
    ]);
  });
});

describe("a provider's page", () => {
  const crossSite = { "sec-fetch-site": "cross-site" };

  test.each([
    ["of a configured provider", { origin: "https://sso.example.org", ...crossSite }],
    ["that says so by its Referer", { referer: "https://sso.example.org/form", ...crossSite }],
    ["at an address that nobody told us", { origin: "https://pages.example.net", ...crossSite }],
    ["that is opaque", { origin: "null", ...crossSite }],
    ["of a trusted application", { origin: app, cookie: sessionCookie, ...crossSite }],
    // Firefox and Safari also send cookies without SameSite, such as those of load balancers and analytics.
    [
      "with cookies that are not ours",
      {
        origin: "https://sso.example.org",
        cookie: "balancer=1; _ga=GA1.1; session_token=x",
        ...crossSite,
      },
    ],
  ])("%s may post to the callback", async (_case, headers: Headers) => {
    sentOn(`${base}/callback/own?code=a&state=b`);
    proxy.requests.length = 0;
    const answer = await post(headers);
    expect([answer.status, answer.headers.location, answer.text]).toEqual([
      302,
      `${base}/callback/own?code=a&state=b`,
      "",
    ]);
    expect(proxy.requests.map(({ body }) => body)).toEqual(["code=a&state=b"]);
  });

  test.each([
    ["a session", sessionCookie],
    ["a session that is not signed", "auth.session_token="],
    ["a copy of a session", "auth.session_data=x"],
    ["a session that is kept aside", `auth.admin_session=${signCookie("t:")}`],
    ["a sign-in that has begun", `balancer=1; ${stateCookie}`],
  ])("may not post with a cookie of %s, unless its origin is trusted", async (_what, cookie) => {
    proxy.requests.length = 0;
    const answer = await post({ origin: "https://sso.example.org", cookie, ...crossSite });
    expect(errorOf(answer)).toEqual([403, "INVALID_ORIGIN"]);
    expect(proxy.requests).toEqual([]);
  });

  test("counts as the same browser only with the state cookie", async () => {
    sentOn("/");
    proxy.requests.length = 0;
    const origin = app;
    for (const cookie of [sessionCookie, `auth.state=${state}`, stateCookie])
      await post({ origin, cookie, ...crossSite });
    expect(proxy.requests.map(({ caller }) => caller.signInState)).toEqual([
      undefined,
      undefined,
      state,
    ]);
  });

  /** A provider's page may return its answer, but not act with its users' sessions. */
  test.each(["/sign-out", "/sign-in/social", "/link-social", "/unlink-account"])(
    "may not post to %s",
    async (path) => {
      proxy.requests.length = 0;
      const headers = { origin: "https://sso.example.org", cookie: sessionCookie };
      const answer = await sendRaw(proxy.origin, {
        ...jsonRequest({}),
        target: `/api/auth${path}`,
        headers: { ...jsonRequest({}).headers, ...headers },
      });
      expect(errorOf(answer)).toEqual([403, "INVALID_ORIGIN"]);
      expect(proxy.requests).toEqual([]);
    },
  );

  test("gets no CORS headers", async () => {
    sentOn("/");
    const { headers } = await post({ origin: "https://sso.example.org" });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("a callback redirects the browser", () => {
  test.each([
    "/welcome",
    "/welcome?error=access_denied&error_description=No%20(really)",
    `${app}/welcome?x=1#here`,
    baseURL,
    `${base}/error?error=state_not_found`,
    "https://status.example.net/problem?error=no_code",
  ])("to %s", async (location) => {
    sentOn(location);
    for (const answer of [await comeBack(), await post()])
      expect([answer.status, answer.headers.location]).toEqual([302, location]);
  });

  /** Attack: using a location that was trusted when the sign-in began but no longer is. */
  test.each(["https://evil.com/", "//evil.com", "https://status.example.net/other"])(
    "but not to %s: it redirects to the error page, uncached and without a referrer",
    async (location) => {
      sentOn(location);
      for (const answer of [await comeBack(), await post()]) {
        expect(answer.status).toBe(302);
        expect(answer.headers).toMatchObject({
          location: `${base}/error?error=invalid_callback_url`,
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
        });
      }
    },
  );

  test("and keeps its owner's cache and referrer headers", async () => {
    const own = { "cache-control": "no-store, private", "referrer-policy": "no-referrer" };
    proxy.respond({ status: 302, headers: { location: "/", ...own } });
    expect((await comeBack()).headers).toMatchObject(own);
  });
});

test("a provider sign-in has the strict limit; callbacks, links and tokens have the general one", async () => {
  const limited = await startGatewayOfStub({ ...config, rateLimit: { enabled: true } });
  try {
    const countOf = async (method: string, path: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 5; count++) {
        const answer = await sendRaw(limited.origin, {
          ...(method === "POST" ? jsonRequest({}) : {}),
          target: `/api/auth${path}`,
        });
        statuses.push(answer.status);
      }
      return statuses.filter((status) => status === 429).length;
    };
    expect(await countOf("POST", "/sign-in/social")).toBe(2);
    expect(await countOf("GET", "/callback/own")).toBe(0);
    expect(await countOf("POST", "/callback/own")).toBe(0);
    expect(await countOf("POST", "/link-social")).toBe(0);
    expect(await countOf("POST", "/get-access-token")).toBe(0);
  } finally {
    await limited.stop();
  }
});
