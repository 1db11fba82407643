import { expectNoLeaks } from "@latchkey/testkit";
import { createAuthClient } from "better-auth/client";
import { anonymousClient } from "better-auth/client/plugins";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { readResponse } from "../harness/responses.ts";
import { signUp } from "../harness/users.ts";
import {
  type OpenIdAccount,
  type OpenIdProvider,
  startOpenIdProvider,
} from "../harness/providers/openid-provider.ts";
import { loadExpoClient } from "./phone/load-expo-client.ts";
import { useSystem } from "../harness/use-system.ts";
import { holdPhone } from "./phone/phone.ts";

expectNoLeaks("file");

let openid: OpenIdProvider;
let expo: Awaited<ReturnType<typeof loadExpoClient>>;
const { system, rows } = useSystem(async () => {
  openid = await startOpenIdProvider();
  expo = await loadExpoClient();
  return {
    stores: "postgres",
    config: {
      trustedOrigins: ["myapp://", "https://app.example.com"],
      // Has no effect on phones: a phone's browser does not hold the app's part of such a cookie, so the state is stored as a row.
      account: { storeStateStrategy: "cookie" },
      socialProviders: { work: { ...openid.client, issuer: openid.issuer } },
      advanced: { outbound: { privateHosts: ["127.0.0.1"] } },
      anonymous: { enabled: true },
    },
  };
});
afterAll(async () => {
  await openid?.stop();
  expo?.unload();
});

let count = 0;
const newAccount = (own: Partial<OpenIdAccount> = {}): OpenIdAccount => {
  const sub = `expo-${(count += 1)}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: "Ann", ...own };
};
beforeEach(() => {
  openid.who = newAccount();
});
afterEach(() => {
  openid.who = undefined;
});

const tail = (url: string) => url.slice(system.url.length);
const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Follows the provider's URL back to Latchkey, and returns the address to which the browser is sent next. */
const returnFrom = async (browser: BrowserLike, authorizationUrl: string) => {
  const back = await openid.visit(authorizationUrl);
  return browser.get(tail(back.url.href));
};

/** A phone with the SDK. `browser` is the one that the app opens, and `last` is the last response that it received. */
const createPhone = () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    getItemAsync: async (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    setItemAsync: async (name: string, value: string) => void stored.set(name, value),
  };
  const browser = createBrowserLike(system.url);
  const phone = { opened: [] as string[], ended: "" };
  holdPhone({
    openAuthSession: async (url) => {
      phone.opened.push(url);
      const sent = await browser.get(tail(url));
      if (sent.status !== 302) return { type: "cancel" };
      phone.ended = locationOf(await returnFrom(browser, locationOf(sent)));
      return phone.ended.startsWith("myapp:")
        ? { type: "success", url: phone.ended }
        : { type: "cancel" };
    },
  });
  const client = createAuthClient({
    baseURL: system.url,
    plugins: [
      anonymousClient(),
      expo.expoClient({ scheme: "myapp", storage, cookiePrefix: "auth" }),
    ],
  });
  return { client, browser, stored, phone };
};

const provider = { provider: "work" } as const;

describe("the published client for Expo", () => {
  test("signs up by a provider, stays signed in, and signs out", async () => {
    const { client, phone, browser } = createPhone();
    const { error } = await client.signIn.social({ ...provider, callbackURL: "/home" });
    expect(error).toBeNull();
    const { data } = await client.getSession();
    expect(data?.user).toMatchObject({ email: openid.who?.email, name: "Ann" });
    expect(phone.ended).toMatch(/^myapp:\/\/\/home\?cookie=/);
    expect(new URL(phone.opened[0] ?? "").pathname).toBe("/api/auth/expo-authorization-proxy");
    expect([...browser.cookies.keys()]).toEqual([]);
    await client.updateUser({ name: "Anna" });
    expect((await client.getSession()).data?.user.name).toBe("Anna");
    await client.signOut();
    expect((await client.getSession()).data).toBeNull();
  });

  test("signs in again, and works with a password as well", async () => {
    const first = createPhone();
    await first.client.signIn.social({ ...provider, callbackURL: "/home" });
    const again = createPhone();
    await again.client.signIn.social({ ...provider, callbackURL: "/home" });
    const [one, two] = [await first.client.getSession(), await again.client.getSession()];
    expect(one.data?.user.id).toBe(two.data?.user.id);
    expect(one.data?.session.id).not.toBe(two.data?.session.id);
    const ada = await signUp(system);
    const third = createPhone();
    await third.client.signIn.email({ email: ada.email, password: "correct horse battery" });
    expect((await third.client.getSession()).data?.user.id).toBe(ada.user.id);
  });

  test("keeps the id of its guest in a sign-up, and hands it over in a sign-in", async () => {
    const guestIn = async ({ client }: ReturnType<typeof createPhone>) =>
      (await client.signIn.anonymous()).data?.user.id ?? "";
    const first = createPhone();
    const guestId = await guestIn(first);
    const ofBrowser = await readResponse<{ user: { id: string } }>(
      await first.browser.post("/sign-in/anonymous"),
    );
    const signIn = ({ client }: ReturnType<typeof createPhone>) =>
      client.signIn.social({ ...provider, callbackURL: "/home" });
    await signIn(first);
    const { data } = await first.client.getSession();
    expect(data?.user).toMatchObject({ id: guestId, email: openid.who?.email });
    const second = createPhone();
    const secondId = await guestIn(second);
    await signIn(second);
    expect((await second.client.getSession()).data?.user.id).toBe(guestId);
    const handOvers = await rows.query(
      "select action, subject_id, after ->> 'guestId' as guest_id from identity.audit where action in ('user.identified', 'user.guest-linked') order by id",
    );
    expect(handOvers.map((entry) => Object.values(entry))).toEqual([
      ["user.identified", guestId, null],
      ["user.guest-linked", guestId, secondId],
    ]);
    // The guest of the browser that the app opened is somebody else.
    const { id } = ofBrowser.body.user;
    const shown = await readResponse(await first.browser.get("/get-session"));
    expect(shown.body).toMatchObject({ user: { id, isAnonymous: true } });
  });

  test("leads the app to its own error page", async () => {
    openid.who = undefined;
    const { client, phone } = createPhone();
    const callbacks = { callbackURL: "/home", errorCallbackURL: "/oops" };
    await client.signIn.social({ ...provider, ...callbacks });
    expect(phone.ended).toMatch(/error=access_denied/);
    expect((await client.getSession()).data).toBeNull();
  });

  /** The phone's browser has its own marker, which must not affect the app. */
  test("gives the app a remembered session, whatever its browser holds", async () => {
    const { client, browser } = createPhone();
    const ada = await signUp(system);
    await browser.post("/sign-in/email", {
      email: ada.email,
      password: "correct horse battery",
      rememberMe: false,
    });
    const cookies = new Map(browser.cookies);
    await client.signIn.social({ ...provider, callbackURL: "/home" });
    const { session } = (await client.getSession()).data ?? {};
    expect(Number(session?.expiresAt) - Number(session?.createdAt)).toBe(7 * 86_400_000);
    expect(browser.cookies).toEqual(cookies);
  });
});

interface Begun {
  url: string;
  state: string;
}

/** Starts a sign-in as an app does. */
const begin = async (
  own: object = {},
  headers: Record<string, string> = { "expo-origin": "myapp://" },
): Promise<Begun> => {
  const response = await fetch(`${system.url}/sign-in/social`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...provider, callbackURL: "myapp:///home", ...own }),
  });
  expect(response.status).toBe(200);
  const { url } = (await response.json()) as { url: string };
  return { url, state: new URL(url).searchParams.get("state") ?? "" };
};

const proxy = (authorizationURL: string, browser = createBrowserLike(system.url)) =>
  browser.get(`/expo-authorization-proxy?${new URLSearchParams({ authorizationURL }).toString()}`);
const restarts = () => `${system.url}/error?error=please_restart_the_process`;
const changed = (url: string, change: (url: URL) => void) => {
  const other = new URL(url);
  change(other);
  return other.href;
};

describe("the way to the provider in the browser of an app", () => {
  test("has PKCE, and stores only the state in the browser", async () => {
    const { url } = await begin();
    const browser = createBrowserLike(system.url);
    const sent = await proxy(url, browser);
    expect([sent.status, locationOf(sent)]).toEqual([302, url]);
    expect(new URL(url).searchParams.get("code_challenge_method")).toBe("S256");
    expect([...browser.cookies.keys()]).toEqual(["auth.state"]);
    expect(sent.headers.get("cache-control")).toBe("no-store");
  });

  test("is the same with the params that the client adds to the URL", async () => {
    const { url } = await begin({ loginHint: "ann@example.com", additionalParams: { acr: "2" } });
    expect(locationOf(await proxy(url))).toBe(url);
  });

  /** Attack: a link to us that leads anywhere, or to the provider with another request. */
  test.each<[string, (url: URL) => void]>([
    ["another host", (url) => (url.host = "evil.com")],
    ["another path", (url) => (url.pathname = "/logout")],
    ["another redirect_uri", (url) => url.searchParams.set("redirect_uri", "https://evil.com/")],
    ["another scope", (url) => url.searchParams.append("scope", "admin")],
    ["one parameter more", (url) => url.searchParams.set("prompt", "none")],
    ["a user name", (url) => (url.username = "x")],
    ["a fragment", (url) => (url.hash = "x")],
  ])("is refused with %s, although its state is valid", async (_case, change) => {
    const { url } = await begin();
    const answer = await readResponse(await proxy(changed(url, change)));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "INVALID_AUTHORIZATIONURL" },
      cookies: [],
    });
    expect((await proxy(url)).status).toBe(302);
  });

  test.each(["", "https://evil.com/", "javascript:alert(1)", "//evil.com", "x?state=1"])(
    "is refused for %j",
    async (url) => {
      expect(await readResponse(await proxy(url))).toMatchObject({ status: 400, cookies: [] });
    },
  );

  test("requires a state that an app has started", async () => {
    const unknown = changed((await begin()).url, (url) =>
      url.searchParams.set("state", "x".repeat(32)),
    );
    const ofPage = await begin({ callbackURL: "/home" }, { origin: system.origin });
    const ofPageToApp = await begin({}, { origin: "https://app.example.com" });
    const besideOrigin = await begin({}, { origin: system.origin, "expo-origin": "myapp://" });
    const toWeb = await begin({ newUserCallbackURL: "https://app.example.com/new" });
    const foreign = await begin({}, { "expo-origin": "evil://" });
    for (const url of [
      unknown,
      ofPage.url,
      ofPageToApp.url,
      besideOrigin.url,
      toWeb.url,
      foreign.url,
    ]) {
      const sent = await proxy(url);
      expect([locationOf(sent), sent.headers.getSetCookie()]).toEqual([
        restarts(),
        expect.anything(),
      ]);
      expect(sent.headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"))).toEqual([]);
    }
  });

  /** Attack: the attacker starts to link an account to their own user, and has a victim sign in at the provider for it. */
  test("is refused for account linking", async () => {
    const { browser } = await signUp(system);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(`${system.url}/link-social`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie, "expo-origin": "myapp://" },
      body: JSON.stringify({ ...provider, callbackURL: "myapp:///home" }),
    });
    const { url } = (await response.json()) as Begun;
    expect(locationOf(await proxy(url))).toBe(restarts());
  });

  test("opens once, for one of 16 concurrent requests", async () => {
    const { url } = await begin();
    const sent = await Promise.all(Array.from({ length: 16 }, () => proxy(url)));
    const places = sent.map(locationOf);
    expect(places.filter((place) => place === url)).toHaveLength(1);
    expect(places.filter((place) => place === restarts())).toHaveLength(15);
  });
});

describe("the way back to the app", () => {
  const cookieOf = (location: string) => new URL(location).searchParams.get("cookie");

  test("hands over the session once, and only to the app", async () => {
    const { url } = await begin();
    const browser = createBrowserLike(system.url);
    const back = await openid.visit(locationOf(await proxy(url, browser)));
    const state = browser.cookies.get("auth.state") ?? "";
    const ended = await browser.get(tail(back.url.href));
    expect(cookieOf(locationOf(ended))).toMatch(/^auth\.session_token=[^;]+; Max-Age=604800;/);
    expect(ended.headers.getSetCookie().join()).not.toContain("session_token");
    expect(ended.headers.has("set-auth-token")).toBe(false);
    expect(browser.cookies.has("auth.state")).toBe(false);
    browser.cookies.set("auth.state", state);
    const replayed = await browser.get(tail(back.url.href));
    expect(locationOf(replayed)).toBe(restarts());
  });

  /** Attack: having another browser finish a sign-in that this one has started. */
  test("is refused to a browser that the app did not send there", async () => {
    const { url } = await begin();
    const back = await openid.visit(locationOf(await proxy(url)));
    const other = await createBrowserLike(system.url).get(tail(back.url.href));
    expect(locationOf(other)).toBe(restarts());
  });

  test("leads a sign-in of a page to the app without its session, which stays in the browser", async () => {
    const browser = createBrowserLike(system.url);
    const body = { ...provider, callbackURL: "myapp:///home" };
    const begun = await readResponse<Begun>(await browser.post("/sign-in/social", body));
    const ended = await returnFrom(browser, begun.body.url);
    expect(locationOf(ended)).toBe("myapp:///home");
    expect(browser.cookies.has("auth.session_token")).toBe(true);
  });
});

describe("expo-origin", () => {
  const signOut = (headers: Record<string, string>) =>
    fetch(`${system.url}/sign-out`, {
      method: "POST",
      headers: { cookie: "theme=dark", ...headers },
    });

  test.each([
    ["accepts a trusted origin", { "expo-origin": "myapp://" }, 200],
    ["refuses an untrusted origin", { "expo-origin": "evil://" }, 403],
    ["ignores a web origin", { "expo-origin": "https://evil.com" }, 200],
    [
      "is ignored if there is an Origin header",
      { origin: "https://evil.com", "expo-origin": "myapp://" },
      403,
    ],
  ])("%s", async (_case, headers, status) => {
    expect((await signOut(headers)).status).toBe(status);
  });

  test.each(["evil:///home", "https://evil.com", "myapp.evil://"])(
    "does not make a callback valid: %s",
    async (callbackURL) => {
      const response = await fetch(`${system.url}/sign-in/social`, {
        method: "POST",
        headers: { "content-type": "application/json", "expo-origin": "myapp://" },
        body: JSON.stringify({ ...provider, callbackURL }),
      });
      expect((await readResponse(response)).body).toMatchObject({ code: "INVALID_CALLBACKURL" });
    },
  );
});
