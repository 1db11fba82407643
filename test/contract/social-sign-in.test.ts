import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  type OpenIdAccount,
  type OpenIdProvider,
  startOpenIdProvider,
} from "../harness/providers/openid-provider.ts";
import { signCookie } from "../harness/raw-sessions.ts";
import { beginSignIn, followRedirect, reachable, readRedirect } from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, readSession, signUp } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

let openid: OpenIdProvider;
beforeAll(async () => {
  openid = await startOpenIdProvider();
});
afterAll(() => openid.stop());

const stateAttributes = "Path=/; HttpOnly; SameSite=Lax";
const endOfState = `auth.state=; Max-Age=0; ${stateAttributes}`;
let count = 0;

/** Returns a profile that only the provider knows. */
const newAccount = (own: Partial<OpenIdAccount> = {}): OpenIdAccount => ({
  sub: `sub-${(count += 1)}`,
  email: newEmail(),
  email_verified: true,
  name: "Ada Lovelace",
  picture: "https://example.com/ada.png",
  ...own,
});

describe.each([
  { stores: "postgres", storeStateStrategy: "database" },
  { stores: "redis", storeStateStrategy: "cookie" },
] as const)("with sessions in $stores and states in $storeStateStrategy", (kind) => {
  const { system, rows } = useSystem(() => {
    const own = { ...openid.client, issuer: openid.issuer };
    return {
      stores: kind.stores,
      config: {
        advanced: reachable,
        account: { storeStateStrategy: kind.storeStateStrategy },
        socialProviders: {
          own,
          posting: { ...own, responseMode: "form_post" },
          scoped: { ...own, scope: ["offline_access"] },
        },
      },
    };
  });

  const signIn = async (
    who: OpenIdAccount,
    {
      provider = "own",
      browser = createBrowserLike(system.url),
      ...body
    }: Record<string, unknown> & { browser?: BrowserLike } = {},
  ) => {
    openid.who = who;
    const begun = await beginSignIn(browser, { provider, ...body });
    const back = await followRedirect(system, browser, await openid.visit(begun.url.href));
    return { ...back, browser, url: begun.url };
  };

  test("a new user is registered with the account and signed in", async () => {
    const who = newAccount();
    const { browser, status, location, text, cookies, headers } = await signIn(who);
    expect({ status, location, text }).toEqual({ status: 302, location: system.origin, text: "" });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const shown = await readSession(browser);
    expect(shown?.user).toMatchObject({
      name: who.name,
      email: who.email,
      image: who.picture,
      emailVerified: true,
    });
    const [session, ...others] = cookies;
    expect(session).toMatch(
      /^auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(session).toContain(shown?.session.token);
    expect(others).toEqual([endOfState]);
    expect(browser.cookies.has("auth.state")).toBe(false);
    const accounts = await rows.query(
      "select * from identity.account where user_id = $1",
      shown?.user.id,
    );
    expect(accounts).toMatchObject([
      { provider_id: "own", account_id: who.sub, scope: "openid,profile,email" },
    ]);
  });

  test("a returning user is the same user, and is redirected as such", async () => {
    const who = newAccount();
    const urls = { callbackURL: "/in?a=1&b=%20", newUserCallbackURL: "/welcome" };
    const first = await signIn(who, urls);
    expect(first.location).toBe("/welcome");
    const again = await signIn({ ...who, email: newEmail(), name: "Renamed" }, urls);
    expect(again.location).toBe("/in?a=1&b=%20");
    const [before, after] = [await readSession(first.browser), await readSession(again.browser)];
    expect(after?.user).toEqual(before?.user);
    expect(after?.session.id).not.toBe(before?.session.id);
  });

  test("a user with the same address, verified on both sides, gets the account and does not count as new", async () => {
    const ada = await signUp(system);
    await verifyAddress(rows, ada.user.id);
    const { browser, location } = await signIn(
      newAccount({ email: ada.email.toUpperCase(), name: "Other" }),
      { callbackURL: "/in", newUserCallbackURL: "/welcome" },
    );
    expect(location).toBe("/in");
    expect((await readSession(browser))?.user).toMatchObject({ id: ada.user.id, name: "Ada" });
    const accounts = await rows.query(
      "select provider_id from identity.account where user_id = $1 order by provider_id",
      ada.user.id,
    );
    expect(accounts).toEqual([{ provider_id: "credential" }, { provider_id: "own" }]);
    expect(await readSession(ada.browser)).not.toBeNull();
  });

  test("a user who has linked the account signs in even if the provider sends no address", async () => {
    const who = newAccount();
    await signIn(who);
    const { email, ...without } = who;
    const { browser, location } = await signIn(without, { callbackURL: "/in" });
    expect(location).toBe("/in");
    expect((await readSession(browser))?.user.email).toBe(email);
  });

  test("a user with an empty name gets the one that the provider sends later", async () => {
    const who = newAccount();
    await signIn(who);
    await rows.query("update identity.user set name = '' where email = $1", who.email);
    const { browser } = await signIn({ ...who, name: "Ada Lovelace" });
    expect((await readSession(browser))?.user.name).toBe("Ada Lovelace");
    await signIn({ ...who, name: "Another" });
    expect((await readSession(browser))?.user.name).toBe("Ada Lovelace");
  });

  test("a user without a name is named by the address", async () => {
    const { name: _, ...who } = newAccount();
    const { browser } = await signIn(who);
    expect((await readSession(browser))?.user.name).toBe(who.email);
  });

  test.each([undefined, false])(
    "the start also sends Location, with disableRedirect %s",
    async (disableRedirect) => {
      const body = { provider: "own", disableRedirect };
      const response = await createBrowserLike(system.url).post("/sign-in/social", body);
      const { url, redirect } = (await response.json()) as { url: string; redirect: boolean };
      expect([response.status, redirect]).toEqual([200, true]);
      expect(response.headers.get("location")).toBe(url);
    },
  );

  test("the start returns the URL, and binds the state to the browser", async () => {
    const countKept = async () => (await rows.query("select 1 from identity.verification")).length;
    const before = await countKept();
    const browser = createBrowserLike(system.url);
    const response = await browser.post("/sign-in/social", {
      provider: "own",
      disableRedirect: true,
      scopes: ["offline_access", "email"],
      loginHint: "ada@example.com",
      additionalParams: { ui_locales: "de", state: "mine", redirect_uri: "https://evil.example" },
    });
    const text = await response.text();
    const { url } = JSON.parse(text) as { url: string };
    expect(response.status).toBe(200);
    expect(text).toBe(JSON.stringify({ url, redirect: false }));
    expect(response.headers.get("location")).toBeNull();
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: openid.client.clientId,
      state: expect.stringMatching(/^[\w-]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      redirect_uri: `${system.url}/callback/own`,
      scope: "openid profile email offline_access",
      login_hint: "ada@example.com",
      ui_locales: "de",
    });
    const state = searchParams.get("state") ?? "";
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie?.endsWith(`; Max-Age=600; ${stateAttributes}`)).toBe(true);
    const stored = await rows.query("select * from identity.verification");
    const isKept = kind.storeStateStrategy === "database";
    expect(stored.length - before).toBe(isKept ? 1 : 0);
    expect(JSON.stringify(stored)).not.toContain(state);
    if (isKept) expect(cookie?.split(";", 1)).toEqual([`auth.state=${signCookie(state)}`]);
    else expect(cookie).toMatch(new RegExp(`^auth\\.state=${state}\\.v1\\.[\\w-]+\\.`));
  });

  test("a browser with the marker gets a session without rememberMe", async () => {
    const ada = await signUp(system);
    const browser = createBrowserLike(system.url);
    await browser.post("/sign-in/email", { email: ada.email, password, rememberMe: false });
    const { cookies } = await signIn(newAccount(), { browser });
    expect(cookies).toEqual([
      expect.stringMatching(/^auth\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
      `auth.dont_remember=${signCookie("true")}; ${stateAttributes}`,
      endOfState,
    ]);
    const session = (await readSession(browser))?.session;
    const lifetime = Date.parse(session?.expiresAt ?? "") - Date.parse(session?.createdAt ?? "");
    expect(lifetime).toBe(86_400_000);
  });

  test("a posted answer is redirected to the same by GET, which carries the cookie", async () => {
    const who = newAccount();
    const posted = await signIn(who, { provider: "posting" });
    expect(posted.url.searchParams.get("response_mode")).toBe("form_post");
    expect(posted).toMatchObject({ status: 302, text: "", cookies: [] });
    expect(posted.location.startsWith(`${system.url}/callback/posting?code=`)).toBe(true);
    const path = posted.location.slice(system.url.length);
    const { location } = await readRedirect(posted.browser.get(path));
    expect(location).toBe(system.origin);
    expect((await readSession(posted.browser))?.user.email).toBe(who.email);
  });

  test("a posted answer with the cookie is accepted at once", async () => {
    openid.who = newAccount();
    const { browser, url } = await beginSignIn(createBrowserLike(system.url), {
      provider: "posting",
    });
    const { form } = await openid.visit(url.href);
    const { location } = await readRedirect(
      browser.post("/callback/posting", Object.fromEntries(form ?? [])),
    );
    expect(location).toBe(system.origin);
    expect((await readSession(browser))?.user.email).toBe(openid.who.email);
  });

  test("the provider's tokens are stored encrypted, with the granted scopes and their expiry", async () => {
    const who = newAccount();
    await signIn(who, { provider: "scoped" });
    const [account] = await rows.query(
      "select * from identity.account where account_id = $1",
      who.sub,
    );
    const sealed = expect.stringMatching(/^v1\.[\w-]+$/) as string;
    expect(account).toMatchObject({
      access_token: sealed,
      refresh_token: sealed,
      id_token: sealed,
      access_token_expires_at: expect.any(Date) as Date,
      refresh_token_expires_at: null,
      scope: "openid,profile,email",
    });
  });

  test("a refusal at the provider is reported with its own code", async () => {
    openid.who = undefined;
    const browser = createBrowserLike(system.url);
    const { url } = await beginSignIn(browser, { provider: "own", errorCallbackURL: "/oops" });
    const back = await followRedirect(system, browser, await openid.visit(url.href));
    expect(back.location).toBe(
      `${system.url}/error?error=access_denied&error_description=no%20%26%20%3Cno%3E`,
    );
    const page = await browser.get(back.location.slice(system.url.length));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("access_denied"),
    ]);
  });
});
