import { until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  closeConnection,
  codeFor,
  neverRespond,
  type OAuthProvider,
  type Respond,
  respondWith,
  respondWithText,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  type BegunSignIn,
  callCallback,
  countRows,
  credentials,
  reachable,
  testProvider,
} from "../harness/social-sign-in.ts";
import { type ProcessSystem, startSystem } from "../harness/start-system.ts";
import { newEmail } from "../harness/users.ts";

/** Part of every failing answer of the provider. No client may see it. */
const canary = "canary-of-the-provider";
const { clientSecret } = credentials;

let oauth: OAuthProvider;
let system: ProcessSystem;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const { port } = new URL(oauth.url);
  const at = (origin: string) => {
    const [token, userInfo] = [`${origin}/token`, `${origin}/userInfo`];
    const { authorization } = oauth.endpoints;
    return { ...credentials, endpoints: { authorization, token, userInfo } };
  };
  system = await startSystem({
    topology: "processes",
    stores: "postgres",
    absent: ["mailer"],
    environment: { LOG_LEVEL: "trace" },
    config: {
      advanced: reachable,
      socialProviders: {
        plain: testProvider(oauth),
        issued: { ...testProvider(oauth), issuer: oauth.url, endpoints: oauth.endpoints },
        hidden: { ...credentials, issuer: oauth.url },
        named: at(`https://localhost:${port}`),
        unencrypted: at(`http://localhost:${port}`),
        loopback: at(`https://127.0.0.2:${port}`),
        mapped: at(`https://[::ffff:127.0.0.1]:${port}`),
        metadata: at("https://169.254.169.254"),
      },
    },
  });
  rows = openRows(system);
});
afterAll(async () => {
  await rows.close();
  await system.stop();
  await oauth.stop();
});
afterEach(() => oauth.reset());

const newProfile = () => ({ sub: newEmail(), email: newEmail(), email_verified: true });
const start = (provider: string) =>
  beginSignIn(createBrowserLike(system.url), { provider, errorCallbackURL: "/oops" });

/** Completes the flow, and asserts that the client's page gets this error only and that the provider's text appears nowhere. */
const expectRefusal = async (begun: BegunSignIn, provider: string, error: string) => {
  const before = await countRows(rows);
  const code = codeFor(newProfile());
  const { status, location, text, headers } = await callCallback(begun, provider, {
    state: begun.state,
    code,
  });
  expect({ status, location, text }).toEqual({
    status: 302,
    location: `/oops?error=${error}`,
    text: "",
  });
  expect(await countRows(rows)).toEqual(before);
  const requestId = headers.get("x-request-id") ?? "";
  const line = await until(
    () =>
      system
        .output("identity")
        .split("\n")
        .find((one) => one.includes(requestId) && one.includes(`"provider":"${provider}"`)),
    { describe: "a line of the log" },
  );
  const output =
    JSON.stringify([...headers]) + system.output("identity") + system.output("gateway");
  for (const secret of [canary, code, clientSecret]) expect(output).not.toContain(secret);
  return line;
};

const tenMegabytes = 10 * 1024 * 1024;
const bad: [string, Respond][] = [
  ["500", respondWith({ error: "server_error", error_description: canary }, 500)],
  ["400 in its own words", respondWith({ error: "invalid_grant", error_description: canary }, 400)],
  ["429", respondWithText(canary, 429, { "retry-after": canary })],
  ["10 MB", respondWithText(canary + "x".repeat(tenMegabytes))],
  ["HTML", respondWithText(`<html>${canary}</html>`)],
  ["half of a JSON object", respondWithText(`{"${canary}":"`)],
  ["a JSON text", respondWith(canary)],
  ["a JSON array", respondWith([canary])],
  ["null", respondWith(null)],
  ["nothing", respondWithText("")],
  ["bytes without sense", respondWithText(`\u0000\ufffd${canary}`)],
  ["a redirect", respondWithText(canary, 302, { location: "/elsewhere" })],
  ["a redirect that keeps the method", respondWithText(canary, 307, { location: "/elsewhere" })],
  [
    "a redirect into our own network",
    respondWithText("", 301, { location: `http://127.0.0.1/${canary}` }),
  ],
  ["a broken connection", closeConnection],
];

test.each(bad)("a token endpoint that answers %s creates no session", async (_, respond) => {
  const begun = await start("plain");
  oauth.responses.token = respond;
  await expectRefusal(begun, "plain", "invalid_code");
  expect(oauth.requests.map(({ endpoint }) => endpoint)).toEqual(["token"]);
});

test.each(bad)("a profile endpoint that answers %s creates no session", async (_, respond) => {
  const begun = await start("plain");
  oauth.responses.userInfo = respond;
  const code = codeFor(newProfile());
  const before = await countRows(rows);
  const { location } = await callCallback(begun, "plain", { state: begun.state, code });
  expect(location).toBe("/oops?error=unable_to_get_user_info");
  expect(await countRows(rows)).toEqual(before);
  expect(oauth.requests.map(({ endpoint }) => endpoint)).toEqual(["token", "userInfo"]);
  const output = system.output("identity") + system.output("gateway");
  for (const secret of [canary, code, clientSecret]) expect(output).not.toContain(secret);
});

test("a provider that never answers times out before our own clients do", async () => {
  const [token, profile] = [await start("plain"), await start("plain")];
  oauth.responses.token = (response, request) => {
    const { code = "" } = request.parameters;
    if (code === "hang") neverRespond(response, request);
    else respondWith({ access_token: code, token_type: "bearer" })(response, request);
  };
  oauth.responses.userInfo = neverRespond;
  const [first, second] = await Promise.all([
    callCallback(token, "plain", { state: token.state, code: "hang" }),
    callCallback(profile, "plain", { state: profile.state, code: "good" }),
  ]);
  expect([first.location, second.location]).toEqual([
    "/oops?error=invalid_code",
    "/oops?error=unable_to_get_user_info",
  ]);
});

const badIdTokens: [string, (nonce: string) => Promise<string>][] = [
  ["signed by somebody else", (nonce) => tokenOf({ nonce }, true)],
  ["of another request", () => tokenOf({ nonce: "another" })],
  ["of no request", () => tokenOf({})],
  ["for another app", (nonce) => tokenOf({ nonce, aud: "another" })],
  ["of another issuer", (nonce) => tokenOf({ nonce, iss: "https://evil.example" })],
  ["that has expired", (nonce) => tokenOf({ nonce, exp: 1 })],
  ["of somebody else than its profile", (nonce) => tokenOf({ nonce, sub: "another" })],
  ["that is none", async () => canary],
];
const tokenOf = (claims: object, isForged = false) => {
  const iat = Math.floor(Date.now() / 1000);
  const own = { aud: credentials.clientId, sub: "1", iat, exp: iat + 60 };
  return oauth.sign({ ...own, ...claims }, { isForged });
};

test.each(badIdTokens)("an id token %s signs nobody in", async (_, sign) => {
  const begun = await start("issued");
  const idToken = await sign(begun.url.searchParams.get("nonce") ?? "");
  oauth.responses.token = respondWith({
    access_token: "a",
    token_type: "bearer",
    id_token: idToken,
  });
  oauth.responses.userInfo = respondWith({ sub: "1", email: newEmail(), email_verified: true });
  const before = await countRows(rows);
  const { location } = await callCallback(begun, "issued", { state: begun.state, code: "c" });
  expect(location).toMatch(/^\/oops\?error=(invalid_code|unable_to_get_user_info)$/);
  expect(await countRows(rows)).toEqual(before);
});

test("a valid id token signs in, so that those above are rejected for their fault", async () => {
  const begun = await start("issued");
  const nonce = begun.url.searchParams.get("nonce") ?? "";
  const answer = { access_token: "a", token_type: "bearer", id_token: await tokenOf({ nonce }) };
  oauth.responses.token = respondWith(answer);
  oauth.responses.userInfo = respondWith({ sub: "1", email: newEmail(), email_verified: true });
  const { location } = await callCallback(begun, "issued", { state: begun.state, code: "c" });
  expect(location).toBe(system.origin);
});

test.each([
  ["named", "private address"],
  ["unencrypted", "not by https"],
  ["loopback", "private address"],
  ["mapped", "private address"],
  ["metadata", "private address"],
])("never calls a provider in our own network: %s", async (provider, reason) => {
  const line = await expectRefusal(await start(provider), provider, "invalid_code");
  expect(line).toContain(reason);
  expect(oauth.requests).toEqual([]);
});

test("a provider whose discovery fails is reported as unavailable, with when to retry", async () => {
  const browser = createBrowserLike(system.url);
  const response = await browser.post("/sign-in/social", { provider: "hidden" });
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await readResponse(response)).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE" },
    cookies: [],
  });
});
