import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  callCallback,
  clearedStateCookie,
  newProfile,
  reachable,
  readRedirect,
  type RedirectResponse,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { startSystem, type System } from "../harness/start-system.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
let system: System;
/** Trusts an application's origin. */
let trusting: System;
let rows: Rows;
/** Whether the application's function fails. */
let isBroken = false;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const { jwks: _, ...endpoints } = oauth.endpoints;
  const before = () => {
    if (isBroken) throw new Error("secret <of> the application");
  };
  system = await startSystem({
    stores: "postgres",
    config: {
      logger: { disabled: true },
      advanced: reachable,
      databaseHooks: { user: { create: { before } } },
      socialProviders: {
        plain: testProvider(oauth),
        other: testProvider(oauth),
        issued: testProvider(oauth, { endpoints, issuer: oauth.url }),
      },
    },
  });
  trusting = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      trustedOrigins: ["https://app.example.com"],
      socialProviders: { plain: testProvider(oauth) },
    },
  });
  rows = openRows(system);
});
afterAll(async () => {
  await rows.close();
  await trusting.stop();
  await system.stop();
  await oauth.stop();
});

/** The client's own error page, with a query. */
const errorCallbackURL = "/oops?x=1";
const browserOf = () => createBrowserLike(system.url);

/** Calls the callback with the given parameters and the state. */
const comeWith = async (
  parameters: Record<string, string>,
  provider = "plain",
  path = provider,
) => {
  const begun = await beginSignIn(browserOf(), { provider, errorCallbackURL });
  return callCallback(begun, path, { state: begun.state, ...parameters });
};

const ofNoFlow: [
  query: string,
  when: string,
  act: () => Promise<RedirectResponse>,
  ends: boolean,
][] = [
  [
    "error=invalid_callback_request",
    "nothing is posted",
    () =>
      readRedirect(fetch(`${system.url}/callback/plain`, { method: "POST", redirect: "manual" })),
    false,
  ],
  [
    "error=state_not_found",
    "no state comes",
    () => readRedirect(browserOf().get("/callback/plain?code=a")),
    false,
  ],
  [
    "error=please_restart_the_process",
    "the state is not known",
    () => readRedirect(browserOf().get("/callback/plain?code=a&state=b")),
    false,
  ],
  [
    "error=please_restart_the_process",
    "the state is another provider's",
    () => comeWith({ code: codeFor(newProfile()) }, "plain", "other"),
    true,
  ],
  [
    "error=access_denied",
    "the provider says so",
    () => comeWith({ error: "access_denied" }),
    false,
  ],
  [
    "error=issuer_mismatch",
    "another provider's error arrives",
    () => comeWith({ error: "access_denied", iss: "https://evil.example" }, "issued"),
    false,
  ],
  [
    "error=internal_server_error",
    "something breaks",
    async () => {
      isBroken = true;
      const answer = await comeWith({ code: codeFor(newProfile()) });
      isBroken = false;
      return answer;
    },
    true,
  ],
  [
    "error=banned&error_description=You%20have%20been%20banned%20from%20this%20application.%20Please%20contact%20support%20if%20you%20believe%20this%20is%20an%20error.",
    "the user is banned",
    async () => {
      const profile = newProfile();
      await signInWith(system, { profile });
      await rows.query("update identity.user set banned = true where email = $1", profile.email);
      return comeWith({ code: codeFor(profile) });
    },
    true,
  ],
];

test.each(ofNoFlow)("our page gets %s if %s", async (query, _, act, isEnded) => {
  const { status, location, text, cookies } = await act();
  expect({ status, location, text }).toEqual({
    status: 302,
    location: `${system.url}/error?${query}`,
    text: "",
  });
  expect(cookies).toEqual(isEnded ? [clearedStateCookie] : []);
});

test.each(["?code=a&code=b", "?state=a&state=b", "?error=a&error=b"])(
  "a callback with %s is invalid",
  async (query) => {
    const { status, body } = await readResponse(await browserOf().get(`/callback/plain${query}`));
    expect([status, body]).toMatchObject([
      400,
      { code: "VALIDATION_ERROR", message: "Invalid query parameters" },
    ]);
  },
);

test("a provider's error code can neither extend nor leave the URL", async () => {
  const error = "a&admin=true#x\r\nSet-Cookie: a=b\u0000\u{1f600}";
  const { location, cookies } = await comeWith({ error, error_description: 'ü<b> & "q"' });
  expect(location).toBe(
    `${system.url}/error?error=a%26admin%3Dtrue%23xSet-Cookie%3A%20a%3Db` +
      "&error_description=%3Cb%3E%20%26%20%22q%22",
  );
  expect(cookies).toEqual([]);
  const page = await browserOf().get(location.slice(system.url.length));
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(await page.text()).not.toContain("<b>");
});

test("our page leads users to the account web while no application is known, with the code alone", async () => {
  const error = "/error?error=access_denied&error_description=no";
  const led = await readRedirect(browserOf().get(error, { accept: "text/html" }));
  expect([led.status, led.location]).toEqual([302, "/account/error?error=access_denied"]);
  const hostile = await readRedirect(
    browserOf().get("/error?error=%26x%3D1%23%0d%0aa&error=b", { accept: "text/html" }),
  );
  expect(hostile.location).toBe("/account/error?error=%26x%3D1%23%0D%0Aa");
});

/** A sign-in that began in the account web ends there, where every error is explained and the way back is kept. */
describe("a flow of the account web", () => {
  const page = "/account/error?redirect_to=https%3A%2F%2Fapp.example.com%2F";
  const begin = (given: object = {}) =>
    beginSignIn(browserOf(), { provider: "plain", errorCallbackURL: page, ...given });
  const denied = { error: "access_denied", error_description: "no" };

  test("ends there when the provider refuses, and stays usable", async () => {
    const begun = await begin();
    const { state } = begun;
    const { status, location } = await callCallback(begun, "plain", { state, ...denied });
    expect([status, location]).toEqual([302, `${page}&error=access_denied&error_description=no`]);
    const good = await callCallback(begun, "plain", { state, code: codeFor(newProfile()) });
    expect(good.location).toBe(system.origin);
  });

  test("ends there when the user is banned, or something breaks", async () => {
    const profile = newProfile();
    await signInWith(system, { profile });
    await rows.query("update identity.user set banned = true where email = $1", profile.email);
    const first = await begin();
    const banned = await callCallback(first, "plain", {
      state: first.state,
      code: codeFor(profile),
    });
    expect(banned.location).toContain(`${page}&error=banned&`);
    const second = await begin();
    isBroken = true;
    const broken = await callCallback(second, "plain", {
      state: second.state,
      code: codeFor(newProfile()),
    });
    isBroken = false;
    expect(broken.location).toBe(`${page}&error=internal_server_error`);
  });

  /** Attack: an invented callback leads a browser to a page that it did not choose. */
  test("is not found by another browser, with another state or at another provider", async () => {
    const begun = await begin();
    const ofOthers = { ...begun, browser: browserOf() };
    const results = [
      await callCallback(ofOthers, "plain", { state: begun.state, ...denied }),
      await callCallback(begun, "plain", { state: "a".repeat(32), ...denied }),
      await callCallback(begun, "other", { state: begun.state, ...denied }),
      await callCallback(begun, "plain", denied),
    ];
    for (const { location } of results)
      expect(location).toBe(`${system.url}/error?error=access_denied&error_description=no`);
  });

  test.each(["/accounting/error", "/account", "https://app.example.com/account/error"])(
    "is none with the error page %s",
    async (errorCallbackURL) => {
      const browser = createBrowserLike(trusting.url);
      const begun = await beginSignIn(browser, { provider: "plain", errorCallbackURL });
      const { location } = await callCallback(begun, "plain", { state: begun.state, ...denied });
      expect(location).toBe(`${trusting.url}/error?error=access_denied&error_description=no`);
    },
  );
});

describe("with the operator's own error page", () => {
  const errorURL = "https://status.example.net/problem?from=auth";
  const { system: own } = useSystem(() => ({
    stores: "postgres",
    config: {
      advanced: reachable,
      onAPIError: { errorURL },
      socialProviders: { plain: testProvider(oauth) },
    },
  }));

  test("gets errors without a flow, and of flows without their own page", async () => {
    const browser = createBrowserLike(own.url);
    const unknown = await readRedirect(browser.get("/callback/plain?code=a&state=b"));
    expect(unknown.location).toBe(`${errorURL}&error=please_restart_the_process`);
    const begun = await beginSignIn(browser, { provider: "plain" });
    const { location } = await callCallback(begun, "plain", { state: begun.state });
    expect(location).toBe(`${errorURL}&error=no_code`);
  });

  test("is not used by a flow with its own page", async () => {
    const begun = await beginSignIn(createBrowserLike(own.url), {
      provider: "plain",
      errorCallbackURL,
    });
    const { location } = await callCallback(begun, "plain", { state: begun.state });
    expect(location).toBe(`${errorCallbackURL}&error=no_code`);
  });
});
