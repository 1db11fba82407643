import { expectNoLeaks } from "@latchkey/testkit";
import { createAuthClient } from "better-auth/client";
import { oneTapClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { oneTapClient as oneTapClient12 } from "better-auth-1-2/client/plugins";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { race } from "../harness/race.ts";
import { readResponse } from "../harness/responses.ts";
import { enableApp } from "../harness/second-factor.ts";
import {
  credentials,
  googleToken,
  newProfile,
  reachable,
  testGoogle,
} from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

expectNoLeaks("file");

const oauth = await startOAuthProvider();
afterAll(oauth.stop);
afterEach(() => {
  vi.unstubAllGlobals();
  oauth.reset();
});

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    advanced: reachable,
    account: { accountLinking: { requireLocalEmailVerified: false } },
    socialProviders: { google: { ...testGoogle(oauth), oneTap: true } },
  },
});

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const plugin = { clientId: credentials.clientId };
const make17 = (options: Options) =>
  createAuthClient({ ...options, plugins: [oneTapClient(plugin)] });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({ ...options, plugins: [oneTapClient12(plugin)] }) as unknown as ReturnType<
      typeof make17
    >, // the same calls with different types
};

interface GoogleSettings {
  client_id: string;
  callback: (response: { credential: string }) => Promise<void>;
}

/** Stands in for the page and for the script of Google, whose user chooses an account at once. Returns the address of the page. */
const openPage = (idToken: string) => {
  const location = { href: "" };
  let settings: GoogleSettings | undefined;
  const id = {
    initialize: (given: GoogleSettings) => {
      settings = given;
    },
    prompt: () => void settings?.callback({ credential: idToken }),
  };
  const window = { document: {}, googleScriptInitialized: true, google: { accounts: { id } } };
  vi.stubGlobal("window", { ...window, location });
  return { location, clientIdOf: () => settings?.client_id };
};

test.each(Object.keys(makers) as (keyof typeof makers)[])(
  "the published client %s signs a user of Google up, and in again",
  async (version) => {
    const { cookieFetch } = createCookieFetch(system.origin);
    const fetchOptions = { customFetchImpl: cookieFetch };
    const client = makers[version]({ baseURL: system.url, fetchOptions });
    const profile = newProfile();
    for (const callbackURL of ["/welcome", "/home"]) {
      const page = openPage(await googleToken(oauth, profile));
      await client.oneTap({ callbackURL });
      expect([page.clientIdOf(), page.location.href]).toEqual([plugin.clientId, callbackURL]);
      const { data } = await client.getSession();
      expect(data?.user).toMatchObject({ email: profile.email, emailVerified: true, name: "Ada" });
      await client.signOut();
    }
  },
);

const send = async (idToken: string, more: object = {}) =>
  readResponse<{ code?: string }>(
    await createBrowserLike(system.url).post("/one-tap/callback", { idToken, ...more }),
  );

const newToken = (claims: object = {}, by?: Parameters<typeof googleToken>[2]) =>
  googleToken(oauth, { ...newProfile(), ...claims }, by);
const secondsAgo = (count: number) => Math.floor(Date.now() / 1000) - count;

const invalid = [400, "INVALID_ID_TOKEN"];
/** Attacks with tokens that are somebody else's, of another purpose, or seen somewhere. 30 seconds are tolerated for clocks. */
test.each([
  ["of another client", { aud: "client-2" }, invalid],
  ["of another issuer", { iss: "https://accounts.example.com" }, invalid],
  ["that has expired", { exp: secondsAgo(60) }, invalid],
  ["of the last hour", { iat: secondsAgo(120) }, invalid],
  ["of the future", { iat: secondsAgo(-120) }, invalid],
  ["without a time", { iat: undefined }, invalid],
  ["for another request, as its nonce says", { nonce: "of another request" }, invalid],
  ["without a user", { sub: undefined }, invalid],
  ["without an address", { email: undefined }, [400, "EMAIL_NOT_AVAILABLE_IN_TOKEN"]],
] as const)("refuses a token %s", async (_case, claims, refusal) => {
  const { status, body } = await send(await newToken(claims));
  expect([status, body.code]).toEqual(refusal);
});

test("refuses a token of another key, a text that is none, and a page that is not trusted", async () => {
  const forged = await send(await newToken({}, { isForged: true }));
  expect([forged.status, forged.body.code]).toEqual(invalid);
  expect((await send("no token")).body).toMatchObject({ code: "INVALID_ID_TOKEN" });
  const callbackURL = "https://evil.example.com/";
  expect((await send(await newToken(), { callbackURL })).body.code).toBe("INVALID_CALLBACKURL");
  const foreign = await createBrowserLike(system.url).post(
    "/one-tap/callback",
    { idToken: await newToken() },
    { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" },
  );
  expect((await readResponse(foreign)).body).toMatchObject({ code: "INVALID_ORIGIN" });
});

test("checks the nonce of a client that sends one", async () => {
  const idToken = await newToken({ nonce: "of this page" });
  expect(await send(idToken, { nonce: "of another page" })).toMatchObject({ status: 400 });
  expect(await send(idToken, { nonce: "of this page" })).toMatchObject({ status: 200 });
});

/** Attack: a token that was seen on its way is sent once more. A signature can be written in several ways. */
test("a token signs in once, however many send it", async () => {
  const idToken = await newToken();
  const answers = await race((index) => send(index % 2 === 0 ? idToken : `${idToken}=`));
  const good = answers.filter(({ status }) => status === 200);
  expect(good.length).toBe(1);
  expect(await send(idToken)).toMatchObject({ status: 400 });
});

test("asks for the second factor", async () => {
  const person = await signUp(system);
  await rows.query("update identity.user set email_verified = true where id = $1", person.user.id);
  await enableApp(person);
  const answer = await send(await newToken({ email: person.email }));
  expect(answer).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  expect(answer.body).not.toHaveProperty("token");
});
