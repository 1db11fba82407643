import type { LatchkeyConfig } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { jsonRequest, sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { withGateway } from "../harness/start-gateway.ts";

const own = "http://localhost:3000";
const app = "https://app.example.com";
const trustedOrigins = [app, "https://*.example.org", "myapp://"];
const config: LatchkeyConfig = { baseURL: own, trustedOrigins };

const { system } = useSystem({ stores: "postgres", config });

type Headers = Record<string, string>;
const cookie = "theme=dark";

const signOut = async (headers: Headers, origin = system.origin) => {
  const { status, text } = await sendRaw(origin, {
    method: "POST",
    target: "/api/auth/sign-out",
    headers,
  });
  return [status, (JSON.parse(text) as { code?: string }).code];
};
const passed = [200, undefined];
const refused = [403, "INVALID_ORIGIN"];

describe("a POST passes the origin check", () => {
  test.each<[string, Headers]>([
    ["our own Origin", { cookie, origin: own }],
    ["a trusted Origin", { cookie, origin: app }],
    ["a trusted Origin by pattern", { cookie, origin: "https://a.b.example.org" }],
    ["a trusted Origin of an app", { cookie, origin: "myapp://" }],
    ["a trusted Referer without an Origin", { cookie, referer: `${app}/page?x=1` }],
    [
      "a trusted Origin beside a foreign Referer",
      { cookie, origin: app, referer: "https://evil.com" },
    ],
    ["neither Origin nor Referer", { cookie }],
    ["a foreign Origin without cookies", { origin: "https://evil.com" }],
    ["trusted and cross-site", { origin: app, "sec-fetch-site": "cross-site" }],
    ["a trusted sibling subdomain", { cookie, origin: app, "sec-fetch-site": "same-site" }],
    ["same-origin that names no source", { cookie, "sec-fetch-site": "same-origin" }],
  ])("with %s", async (_case, headers) => {
    expect(await signOut(headers)).toEqual(passed);
  });
});

describe("a POST is rejected, so that no other site can use a browser's session", () => {
  test.each<[string, Headers]>([
    ["a foreign Origin", { cookie, origin: "https://evil.com" }],
    ["a foreign Origin with an empty cookie header", { cookie: "", origin: "https://evil.com" }],
    [
      "a foreign Origin beside a trusted Referer",
      { cookie, origin: "https://evil.com", referer: app },
    ],
    ["a foreign Referer", { cookie, referer: `https://evil.com/?${app}` }],
    ["the opaque origin", { cookie, origin: "null" }],
    ["a path that would be a safe redirect", { cookie, origin: "/" }],
    ["another scheme", { cookie, origin: "http://app.example.com" }],
    ["another port", { cookie, origin: "http://localhost:3001" }],
    ["a longer host", { cookie, origin: `${app}.evil.com` }],
    ["the parent of a pattern", { cookie, origin: "https://example.org" }],
    ["the host that the request names", { cookie, origin: "https://evil.com", host: "evil.com" }],
    [
      "a cross-site page without cookies",
      { origin: "https://evil.com", "sec-fetch-site": "cross-site" },
    ],
    ["an opaque cross-site page", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["a cross-site page that names no source", { "sec-fetch-site": "cross-site" }],
    ["cookies of a page that names no source", { cookie, "sec-fetch-site": "cross-site" }],
    ["a sibling subdomain that names no source", { cookie, "sec-fetch-site": "same-site" }],
    [
      "a foreign sibling subdomain, without cookies",
      { origin: "https://evil.com", "sec-fetch-site": "same-site" },
    ],
    [
      "a form of a page that names no source",
      {
        cookie,
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "content-type": "application/x-www-form-urlencoded",
      },
    ],
    [
      "cookies and a bearer token of a page that names no source",
      { cookie, authorization: "Bearer token", "sec-fetch-site": "cross-site" },
    ],
  ])("with %s", async (_case, headers) => {
    expect(await signOut(headers)).toEqual(refused);
  });

  test("before its redirect URLs and schema, but after its media type and syntax", async () => {
    const codeFor = async (body: string) => {
      const headers = { cookie, origin: "https://evil.com", "content-type": "application/json" };
      const target = "/api/auth/sign-in/email";
      const { text } = await sendRaw(system.origin, { method: "POST", target, headers, body });
      return (JSON.parse(text) as { code?: string }).code;
    };
    expect(await codeFor('{"callbackURL":"https://evil.com"}')).toBe("INVALID_ORIGIN");
    expect(await codeFor("[]")).toBe("INVALID_ORIGIN");
    expect(await codeFor("{")).toBe("VALIDATION_ERROR");
  });
});

test("a rejection names the origin and the option that would allow it", async () => {
  const headers = { cookie, origin: "http://localhost:4000" };
  const answer = await sendRaw(system.origin, {
    method: "POST",
    target: "/api/auth/sign-out",
    headers,
  });
  expect(JSON.parse(answer.text)).toEqual({
    code: "INVALID_ORIGIN",
    message: "Invalid origin",
    hint: "http://localhost:4000 is not a trusted origin. Add it to TRUSTED_ORIGINS, or set BASE_URL to it if clients reach Latchkey there.",
  });
});

test.each([
  "/verify-email?token=x",
  "/change-email/undo?token=x",
  "/delete-user/callback?token=x",
  "/callback/plain?state=x",
  "/admin/open-impersonation-link?token=x",
  "/expo-authorization-proxy?authorizationURL=x",
])("HEAD %s is answered without a use of the URL", async (path) => {
  const answer = await sendRaw(system.origin, { method: "HEAD", target: `/api/auth${path}` });
  expect([answer.status, answer.text, answer.cookies]).toEqual([200, "", []]);
});

test("a GET is never rejected for its origin", async () => {
  const headers = { cookie, origin: "https://evil.com", "sec-fetch-site": "cross-site" };
  const answer = await sendRaw(system.origin, { target: "/api/auth/get-session", headers });
  expect([answer.status, answer.text]).toEqual([200, "null"]);
});

test("disableCSRFCheck disables the origin check but not the check of redirect URLs", async () => {
  const lifted = { ...config, advanced: { disableCSRFCheck: true } };
  await withGateway(system, { config: lifted }, async (origin) => {
    expect(await signOut({ cookie, origin: "https://evil.com" }, origin)).toEqual(passed);
    const request = jsonRequest({
      email: "a@example.com",
      password: "x",
      callbackURL: "https://evil.com",
    });
    const answer = await sendRaw(origin, { ...request, target: "/api/auth/sign-in/email" });
    expect(answer.status).toBe(403);
  });
});

test("trusted origins can depend on the request, and a failing function is 500 without a body", async () => {
  const choose: LatchkeyConfig["trustedOrigins"] = async ({ host }) => {
    if (host === "broken.example.com") throw new Error("no list for this host");
    return host === "a.example.com" ? ["https://a.example.net"] : [];
  };
  await withGateway(
    system,
    { config: { baseURL: own, trustedOrigins: choose } },
    async (origin) => {
      const from = { cookie, origin: "https://a.example.net" };
      expect(await signOut({ ...from, host: "a.example.com" }, origin)).toEqual(passed);
      expect(await signOut({ ...from, host: "b.example.com" }, origin)).toEqual(refused);
      const target = "/api/auth/get-session";
      const failed = await sendRaw(origin, { target, headers: { host: "broken.example.com" } });
      expect([failed.status, failed.text]).toEqual([500, ""]);
      expect((await sendRaw(origin, { target })).status).toBe(200);
    },
  );
});

test("a pattern without a scheme means http outside production only", async () => {
  const trusting = { ...config, trustedOrigins: ["*.example.net"] };
  const from = (scheme: string) => ({ cookie, origin: `${scheme}://a.example.net` });
  await withGateway(system, { config: trusting }, async (origin) => {
    expect(await signOut(from("https"), origin)).toEqual(passed);
    expect(await signOut(from("http"), origin)).toEqual(passed);
    expect(await signOut(from("ftp"), origin)).toEqual(refused);
  });
  const environment = { NODE_ENV: "production" };
  await withGateway(system, { config: trusting, environment }, async (origin) => {
    expect(await signOut(from("https"), origin)).toEqual(passed);
    expect(await signOut(from("http"), origin)).toEqual(refused);
  });
});

const corsHeaders = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

describe("a page of a trusted origin", () => {
  test("gets from the preflight what it may do, with cookies", async () => {
    const { status, headers, text } = await sendRaw(system.origin, {
      method: "OPTIONS",
      target: "/api/auth/sign-in/email",
      headers: {
        origin: app,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,authorization",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": app,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": expect.stringMatching(/GET.*POST/),
      "access-control-allow-headers": "content-type,authorization",
    });
    expect(headers.vary).toMatch(/\borigin\b/i);
  });

  test.each([
    ["a success", "/api/auth/get-session", 200],
    ["an error", "/api/auth/list-sessions", 401],
    ["an unknown path", "/api/auth/nope", 404],
  ])("may read %s and the headers with its tokens", async (_case, target, expected) => {
    const headers = { origin: "https://a.example.org" };
    const answer = await sendRaw(system.origin, { target, headers });
    expect(answer.status).toBe(expected);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "https://a.example.org",
      "access-control-allow-credentials": "true",
    });
    const exposed = String(answer.headers["access-control-expose-headers"]).split(/,\s*/);
    expect(exposed).toEqual(
      expect.arrayContaining(["set-auth-token", "set-auth-jwt", "retry-after", "x-retry-after"]),
    );
    expect(answer.headers.vary).toMatch(/\borigin\b/i);
  });

  test("may read the token of a sign-up", async () => {
    const request = jsonRequest({
      name: "A",
      email: "cors@example.com",
      password: "correct horse",
    });
    const answer = await sendRaw(system.origin, {
      ...request,
      target: "/api/auth/sign-up/email",
      headers: { ...request.headers, origin: app },
    });
    expect(answer.headers["set-auth-token"]).toBeTruthy();
    const exposed = String(answer.headers["access-control-expose-headers"]).split(/,\s*/);
    expect(exposed).toEqual(expect.arrayContaining(["set-auth-token", "set-auth-jwt"]));
  });
});

describe("a page of any other origin gets no CORS headers", () => {
  const others = ["https://evil.com", "null", "http://app.example.com", `${app}.evil.com`];

  test.each(others)("in a preflight: %s", async (origin) => {
    const { status, headers } = await sendRaw(system.origin, {
      method: "OPTIONS",
      target: "/api/auth/sign-in/email",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect([status, corsHeaders(headers)]).toEqual([404, []]);
  });

  test.each(others)("in an answer: %s", async (origin) => {
    const target = "/api/auth/get-session";
    const { headers } = await sendRaw(system.origin, { target, headers: { origin } });
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers.vary).toMatch(/\borigin\b/i);
  });

  /** Every sandboxed frame has an opaque origin, so not even the widest list gives it credentials. */
  test("from an opaque origin, even if every origin is trusted", async () => {
    await withGateway(system, { config: { ...config, trustedOrigins: ["*"] } }, async (proxy) => {
      const target = "/api/auth/get-session";
      const { headers } = await sendRaw(proxy, { target, headers: { origin: "null" } });
      expect(corsHeaders(headers)).toEqual([]);
    });
  });
});

test("without trusted origins there is no CORS", async () => {
  await withGateway(system, { config: { baseURL: own } }, async (proxy) => {
    for (const origin of [own, app]) {
      const preflight = await sendRaw(proxy, {
        method: "OPTIONS",
        target: "/api/auth/get-session",
        headers: { origin, "access-control-request-method": "GET" },
      });
      expect([preflight.status, corsHeaders(preflight.headers)]).toEqual([404, []]);
      const target = "/api/auth/get-session";
      const { headers } = await sendRaw(proxy, { target, headers: { origin } });
      expect(corsHeaders(headers)).toEqual([]);
    }
  });
});

test("an OPTIONS request that is not a preflight is 404", async () => {
  const answer = await sendRaw(system.origin, {
    method: "OPTIONS",
    target: "/api/auth/get-session",
    headers: { origin: app },
  });
  expect([answer.status, answer.text]).toEqual([404, ""]);
});
