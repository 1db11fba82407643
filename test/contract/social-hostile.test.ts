import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { representatives } from "../harness/matrix.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  respondWith,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { signCookie } from "../harness/raw-sessions.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { type RawResponse, sendRaw } from "../harness/send-raw.ts";
import {
  beginSignIn,
  type BegunSignIn,
  callCallback,
  newProfile,
  reachable,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { password, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
/** With default options. */
let system: System;
/** With every optional check off, and all data stored as readable as possible. */
let loose: System;
let rows: Rows;
let looseRows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const socialProviders = { plain: testProvider(oauth), other: testProvider(oauth) };
  const logger = { disabled: true };
  system = await startSystem({
    stores: "postgres",
    config: { logger, advanced: reachable, socialProviders },
  });
  loose = await startSystem({
    stores: "postgres",
    config: {
      logger,
      advanced: { ...reachable, disableCSRFCheck: true },
      account: { skipStateCookieCheck: true, encryptOAuthTokens: false },
      verification: { storeIdentifier: "plain" },
      user: { deleteUser: { enabled: true } },
      socialProviders,
    },
  });
  [rows, looseRows] = [openRows(system), openRows(loose)];
});
afterAll(async () => {
  await rows.close();
  await looseRows.close();
  await system.stop();
  await loose.stop();
  await oauth.stop();
});
afterEach(() => oauth.reset());

const places = { callbackURL: "/in", errorCallbackURL: "/oops" };
const start = (on: System) =>
  beginSignIn(createBrowserLike(on.url), { provider: "plain", ...places });
const finish = (begun: BegunSignIn, profile: object = newProfile()) =>
  callCallback(begun, "plain", { state: begun.state, code: codeFor(profile) });

const cookieOf = ({ browser }: Pick<BegunSignIn, "browser">) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Calls the callback with raw parameters, by GET and as a POST form. */
const comeRaw = async (
  on: System,
  { path = "/api/auth/callback/plain", query, cookie }: Record<string, string | undefined>,
): Promise<RawResponse[]> => {
  const headers = cookie ? { cookie } : {};
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return [
    await sendRaw(on.origin, { target: `${path}?${query}`, headers }),
    await sendRaw(on.origin, { target: path, method: "POST", headers: form, body: query ?? "" }),
  ];
};

/** Asserts that an invalid callback leads only to our own page or the client's own. */
const isHarmless = (on: System, { status, headers, text, cookies }: RawResponse) => {
  const { location = "" } = headers;
  expect([302, 400, 404]).toContain(status);
  const own = [`${on.url}/error?error=`, "/oops?error=", `${on.url}/callback/`];
  if (status === 302) expect(own.some((start) => location.startsWith(start))).toBe(true);
  else expect(location).toBe("");
  expect([text, location].join()).not.toMatch(/[\r\n\0]|<script/i);
  for (const cookie of cookies) expect(cookie).toMatch(/^auth\.state=; Max-Age=0;/);
};

const long = "x".repeat(10_000);
const odd: [what: string, query: (state: string) => string][] = [
  ["a code of 10 kB", (state) => `state=${state}&code=${long}`],
  ["a state of 10 kB", (state) => `code=a&state=${state}${long}`],
  ["an issuer of 10 kB", (state) => `state=${state}&code=a&iss=${long}`],
  ["a user of 10 kB", (state) => `state=${state}&code=a&user=${long}`],
  ["a word of 10 kB", (state) => `state=${state}&error=${long}&error_description=${long}`],
  ["a code with NUL", (state) => `state=${state}&code=a%00b`],
  ["a state with NUL", (state) => `state=${state}%00&code=a`],
  ["a state that is NUL", () => "state=%00&code=a"],
  ["a user with NUL", (state) => `state=${state}&code=a&user=%00`],
  ["a device with NUL", (state) => `state=${state}&code=a&device_id=%00`],
  ["a name with NUL", (state) => `state=${state}&code=a&%00=b`],
  ["half a surrogate", (state) => `state=${state}%ed%a0%80&code=%ed%a0%80`],
  ["bytes that are no UTF-8", (state) => `state=${state}%ff%c0%af&code=%ff%c0%af`],
  ["escapes that are none", (state) => `state=${state}%zz&code=%u0041%`],
  ["text from right to left", (state) => `state=${state}%e2%80%ae&code=%e2%80%ae%f0%9f%98%80`],
  ["line breaks", (state) => `state=${state}&code=%0d%0aset-cookie:%20auth.session_token=a`],
  ["line breaks in a word", (state) => `state=${state}&error=%0d%0aset-cookie:%20a=b%0a%0d`],
  ["markup in a word", (state) => `state=${state}&error=%3Cscript%3Ealert(1)%3C/script%3E`],
  ["repeated names", (state) => `state=${state}&state=${state}&code=a&code=b&iss=a&iss=b`],
  ["an escaped repeated name", (state) => `state=${state}&%73tate=b&code=a`],
  ["lists", (state) => `state[]=${state}&code[]=a&code[0]=b`],
  ["objects", (state) => `state[$ne]=${state}&code[length]=1&error[]=a`],
  [
    "names of every object",
    (state) => `__proto__=a&constructor=b&toString=c&state=${state}&code=a`,
  ],
  ["semicolons", (state) => `state=${state};code=a`],
  ["nothing but marks", () => "&&=&=&?&#"],
  ["two thousand names", (state) => `state=${state}&code=a${"&a=b".repeat(2_000)}`],
];

describe.each([
  ["by default", () => system],
  ["with every check off", () => loose],
] as const)("a callback %s", (place, on) => {
  /** The options change no parser, so every third row suffices with other ones. */
  const some = <Row>(those: readonly Row[]) =>
    representatives(those, (_, index) => place === "by default" || index % 3 === 0);

  test.each(some(odd))("with %s signs nobody in and breaks nothing", async (_what, queryOf) => {
    oauth.responses.token = respondWith({ error: "invalid_grant" }, 400);
    for (const isOfBrowser of [true, false]) {
      const begun = await start(on());
      const cookie = isOfBrowser ? cookieOf(begun) : undefined;
      const query = queryOf(begun.state);
      for (const answer of await comeRaw(on(), { query, cookie })) isHarmless(on(), answer);
    }
    expect(
      await (on() === system ? rows : looseRows).query("select 1 from identity.session"),
    ).toEqual([]);
  });

  const providers = [
    "__proto__",
    "constructor",
    "PLAIN",
    "plain%00",
    "plain%0d%0aset-cookie:%20a=b",
    "%2e%2e",
    "..%2fsign-out",
    "%2f%2fevil.com",
    "https:%2f%2fevil.com",
    "%5c%5cevil.com",
    "%zz",
    "%ff",
    "%7bid%7d",
    "plain%3fa=b",
    "plain%23",
    "@evil.com",
    "x".repeat(5_000),
  ];
  test.each(some(providers))(
    "at the provider %j signs nobody in and redirects nowhere else",
    async (id) => {
      const begun = await start(on());
      const query = `state=${begun.state}&code=${codeFor(newProfile())}`;
      const path = `/api/auth/callback/${id}`;
      for (const cookie of [cookieOf(begun), undefined])
        for (const answer of await comeRaw(on(), { path, query, cookie })) isHarmless(on(), answer);
      expect(oauth.requests).toEqual([]);
    },
  );

  /** Mail scanners and prefetching browsers open URLs before their user does. */
  test("by any other method keeps the state valid", async () => {
    const begun = await start(on());
    const target = `/api/auth/callback/plain?state=${begun.state}&code=${codeFor(newProfile())}`;
    const headers = { cookie: cookieOf(begun) };
    const statusOf = async (method: string) =>
      (await sendRaw(on().origin, { method, target, headers })).status;
    expect(await statusOf("HEAD")).toBe(200);
    for (const method of ["OPTIONS", "PUT", "PATCH", "DELETE"])
      expect(await statusOf(method)).toBe(404);
    expect((await finish(begun)).location).toBe("/in");
  });
});

/** A signed cookie proves its signer, but not its purpose. */
describe("one of our cookies under another name", () => {
  test.each(["auth.session_token", "auth.state"])("is not accepted as %s", async (name) => {
    const mallory = await signUp(system);
    const begun = await beginSignIn(mallory.browser, { provider: "plain", ...places });
    const values = [
      ...mallory.browser.cookies.values(),
      signCookie("true"),
      signCookie(mallory.user.id),
    ];
    for (const value of values.filter((own) => own !== mallory.browser.cookies.get(name))) {
      const state = decodeURIComponent(value).split(".")[0] ?? "";
      const bare = createBrowserLike(system.url);
      bare.cookies.set(name, value);
      expect(await readSession(bare)).toBeNull();
      const { location } = await callCallback({ browser: bare }, "plain", { state, code: "a" });
      expect(location).toBe(`${system.url}/error?error=please_restart_the_process`);
    }
    expect((await finish(begun)).location).toBe("/in");
  });

  test("with another prefix belongs to another installation", async () => {
    const begun = await start(system);
    const value = begun.browser.cookies.get("auth.state") ?? "";
    for (const name of ["shop.state", "__Secure-auth.state", "state", "auth.State"]) {
      const bare = createBrowserLike(system.url);
      bare.cookies.set(name, value);
      const { location } = await finish({ ...begun, browser: bare });
      expect(location).toBe(`${system.url}/error?error=please_restart_the_process`);
    }
    expect((await finish(begun)).location).toBe("/in");
  });
});

describe("a stored state", () => {
  test("is not a token of a mail, although it names its user", async () => {
    const ada = await signUp(loose);
    const begun = await beginSignIn(ada.browser, { provider: "plain", ...places }, "/link-social");
    const { state: token } = begun;
    for (const named of [token, `sign-in-state:${token}`]) {
      const reset = { token: named, newPassword: "chosen by mallory" };
      const answers = [
        await createBrowserLike(loose.url).post("/reset-password", reset),
        await createBrowserLike(loose.url).get(`/delete-user/callback?token=${named}`),
        await ada.browser.post("/delete-user", { token: named }),
        await createBrowserLike(loose.url).get(`/verify-email?token=${named}`),
      ];
      for (const answer of answers) expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    const old = { email: ada.email, password };
    expect((await ada.browser.post("/sign-in/email", old)).status).toBe(200);
  });

  test("is distinct from the tokens of mails, which stay valid", async () => {
    const ada = await signUp(loose);
    await ada.browser.post("/request-password-reset", { email: ada.email });
    const [row] = await looseRows.query(
      "select identifier from identity.verification where value = $1",
      ada.user.id,
    );
    const identifier = String(row?.["identifier"]);
    const token = identifier.split(":")[1] ?? "";
    for (const state of [token, identifier, `../${identifier}`]) {
      const browser = createBrowserLike(loose.url);
      const { location } = await callCallback({ browser }, "plain", { state, code: "a" });
      expect(location).toBe(`${loose.url}/error?error=please_restart_the_process`);
    }
    const reset = { token, newPassword: "chosen by ada" };
    expect((await ada.browser.post("/reset-password", reset)).status).toBe(200);
  });
});
