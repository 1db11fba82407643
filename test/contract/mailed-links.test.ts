import { createSecretRing, signVerificationToken } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { type OAuthProvider, startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { serviceConfig } from "../harness/operations.ts";
import { sendRaw } from "../harness/send-raw.ts";
import {
  linkWith,
  newProfile,
  reachable,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { testSecret } from "../harness/stores.ts";
import {
  callAdmin,
  newEmail,
  password,
  readSession,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { followLink, navigation, pressButton, readForm } from "../harness/mailed-links.ts";

expectNoLeaks("file");

const another = "another horse battery";

let oauth: OAuthProvider;
const { system, rows } = useSystem(async () => {
  oauth = await startOAuthProvider();
  return {
    stores: "postgres",
    config: {
      ...serviceConfig,
      appName: "Ada & Sons",
      trustedOrigins: ["https://app.example.com", "myapp://"],
      advanced: reachable,
      emailVerification: { autoSignInAfterVerification: true },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      socialProviders: { plain: testProvider(oauth) },
    },
  };
});
afterAll(async () => {
  await oauth.stop();
});

const newBrowser = () => createBrowserLike(system.url);

/** Returns the newest link of this kind that was mailed to an address. */
const linkTo = async (email: string, path: string): Promise<string> => {
  const isLink = (one: string) => one.includes(path);
  const { links } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some(isLink),
  );
  return links.find(isLink) ?? "";
};

/** Requests a verification link, by default from a browser without a session. */
const requestLink = async (email: string, browser = newBrowser(), callbackURL?: string) => {
  await browser.post("/send-verification-email", {
    email,
    ...(callbackURL ? { callbackURL } : {}),
  });
  return { browser, link: await linkTo(email, "/verify-email?") };
};

const isVerified = async (email: string): Promise<boolean> => {
  const [row] = await rows.query(
    "select email_verified from identity.user where email = $1",
    email,
  );
  return row?.["email_verified"] === true;
};

const sessionsOf = async ({ user }: Pick<TestUser, "user">) =>
  (await rows.query("select 1 from identity.session where user_id = $1", user.id)).length;

const signInBy = async (email: string, secret = password) =>
  (await newBrowser().post("/sign-in/email", { email, password: secret })).status;

describe("a link that is opened anywhere but in the requesting browser", () => {
  const followers: [string, Record<string, string>][] = [
    ["a browser", navigation],
    ["a browser without fetch metadata", { accept: "text/html,*/*" }],
    ["a scanner that says nothing", {}],
    ["a scanner that takes anything", { accept: "*/*", "user-agent": "Scanner/1.0" }],
    ["a program on Node", { accept: "*/*", "sec-fetch-mode": "cors" }],
    ["an image in a page", { "sec-fetch-mode": "no-cors", "sec-fetch-site": "same-site" }],
    ["a script of a foreign page", { "sec-fetch-mode": "cors", origin: "https://evil.example" }],
  ];
  let email: string;
  let link: string;
  beforeAll(async () => {
    ({ email } = await signUp(system));
    ({ link } = await requestLink(email));
  });
  test.each(followers)("changes nothing and shows a page to %s", async (_, headers) => {
    const shown = await followLink(link, { headers });
    expect([shown.status, shown.cookies]).toEqual([200, []]);
    expect(shown.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
    });
    expect(await isVerified(email)).toBe(false);
  });

  test("shows the masked address, and carries the link in a form without a script", async () => {
    const { email } = await signUp(system);
    const { link } = await requestLink(email, newBrowser(), "/done?a=1&b=2");
    const { text, headers } = await followLink(link);
    expect(text).toContain(`<strong dir="ltr">a…@example.com</strong>`);
    expect(text).toContain("Ada &amp; Sons");
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(text).not.toContain(email);
    const token = new URL(link).searchParams.get("token");
    expect(readForm(text)).toEqual({
      action: "/api/auth/verify-email",
      fields: { token, callbackURL: "/done?a=1&b=2" },
    });
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  test.each([
    ["https://app.example.com/in?x=1", "'self' https://app.example.com"],
    ["myapp://in", "'self' myapp:"],
  ])("lets its form lead only to %s", async (callbackURL, allowed) => {
    const { email } = await signUp(system);
    const { link } = await requestLink(email, newBrowser(), callbackURL);
    const { headers } = await followLink(link);
    expect(headers["content-security-policy"]).toContain(`; form-action ${allowed}; `);
  });

  test("works once its button is pressed, and signs that browser in", async () => {
    const { email } = await signUp(system);
    const { link } = await requestLink(email, newBrowser(), "/done");
    const browser = newBrowser();
    const { text } = await followLink(link, { browser });
    expect(text).toContain("Verify and sign in");
    const done = await pressButton(link, text, { browser });
    expect([done.status, done.headers.location]).toEqual([303, "/done"]);
    expect((await readSession(browser))?.user).toMatchObject({ email, emailVerified: true });
  });

  // Attack: a victim is tricked into pressing the button of a link to the attacker's account.
  test("keeps the browser's own session when its button is pressed there", async () => {
    const [mallory, victim] = [await signUp(system), await signUp(system)];
    const { link } = await requestLink(mallory.email);
    const { text } = await followLink(link, { browser: victim.browser });
    expect(text).not.toContain("sign");
    expect((await pressButton(link, text, victim)).status).toBe(303);
    expect(await isVerified(mallory.email)).toBe(true);
    expect((await readSession(victim.browser))?.user.email).toBe(victim.email);
  });

  test("cannot be posted by a page of another site", async () => {
    const { email } = await signUp(system);
    const { link } = await requestLink(email);
    const { text } = await followLink(link);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await pressButton(link, text, { headers })).status).toBe(403);
    expect(await isVerified(email)).toBe(false);
  });

  test("is in the language of its reader", async () => {
    const { link } = await requestLink((await signUp(system)).email);
    const headers = { ...navigation, "accept-language": "de-AT,de;q=0.9,en;q=0.5" };
    const { text } = await followLink(link, { headers });
    expect(text).toContain('<html lang="de">');
    expect(text).toContain("<h1>E-Mail-Adresse bestätigen</h1>");
  });

  test("leads to the account web with a bad link without a callback URL, and returns JSON to programs", async () => {
    const link = `${system.url}/verify-email?token=none`;
    const led = await followLink(link);
    expect([led.status, led.headers["location"], led.text]).toEqual([
      302,
      "/account/verify-email?error=invalid_token",
      "",
    ]);
    const expired = await signVerificationToken(
      createSecretRing([testSecret]),
      { email: newEmail() },
      { now: new Date(0), expiresInSeconds: 1 },
    );
    const late = await followLink(`${system.url}/verify-email?token=${expired}`);
    expect(late.headers["location"]).toBe("/account/verify-email?error=token_expired");
    const answer = await followLink(link, { headers: {} });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      401,
      { code: "INVALID_TOKEN", message: "invalid_token" },
    ]);
  });
});

describe("a link works directly", () => {
  test("in the browser that requested it without a session, identified by a cookie", async () => {
    const { email } = await signUp(system);
    const { browser, link } = await requestLink(email, newBrowser(), "/done");
    expect([...browser.cookies.keys()]).toEqual(["auth.mailed_link"]);
    const opened = await followLink(link, { browser });
    expect([opened.status, opened.headers.location]).toEqual([302, "/done"]);
    expect((await readSession(browser))?.user).toMatchObject({ email, emailVerified: true });
  });

  test("in that browser only, not in another one that requested another link", async () => {
    const [ada, grace] = [await signUp(system), await signUp(system)];
    const { link } = await requestLink(ada.email);
    const { browser } = await requestLink(grace.email);
    expect((await followLink(link, { browser })).status).toBe(200);
    expect(await isVerified(ada.email)).toBe(false);
  });

  test("in a browser that has requested another link since", async () => {
    const [ada, grace] = [await signUp(system), await signUp(system)];
    const { browser, link } = await requestLink(ada.email);
    const cookie = browser.cookies.get("auth.mailed_link");
    await requestLink(grace.email, browser);
    expect(browser.cookies.get("auth.mailed_link")).toBe(cookie);
    expect((await followLink(link, { browser })).status).toBe(302);
  });

  test("in a session of its user, but not for a prefetch", async () => {
    const { email, browser } = await signUp(system);
    const { link } = await requestLink(email, browser);
    expect(browser.cookies.has("auth.mailed_link")).toBe(false);
    const ahead = { ...navigation, "sec-purpose": "prefetch;prerender" };
    expect((await followLink(link, { browser, headers: ahead })).status).toBe(200);
    expect(await isVerified(email)).toBe(false);
    expect((await followLink(link, { browser })).status).toBe(302);
    expect(await isVerified(email)).toBe(true);
  });

  const calls: [string, (browser: BrowserLike, token: string) => Promise<{ status: number }>][] = [
    [
      "of the client in a page of a trusted origin",
      (browser, token) => browser.get(`/verify-email?token=${token}&callbackURL=/in`),
    ],
    ["of a program", (_, token) => fetch(`${system.url}/verify-email?token=${token}`)],
    [
      "of a native app without any header",
      (_, token) => sendRaw(system.origin, { target: `/api/auth/verify-email?token=${token}` }),
    ],
    ["that posts JSON", (browser, token) => browser.post("/verify-email", { token })],
  ];
  test.each(calls)("for a call %s", async (_, call) => {
    const { email } = await signUp(system);
    const { link } = await requestLink(email);
    const token = new URL(link).searchParams.get("token") ?? "";
    expect((await call(newBrowser(), token)).status).toBeOneOf([200, 302]);
    expect(await isVerified(email)).toBe(true);
  });

  test("never for HEAD", async () => {
    const { email, browser } = await signUp(system);
    const { link } = await requestLink(email, browser);
    const { status, text, cookies } = await followLink(link, { browser, method: "HEAD" });
    expect([status, text, cookies]).toEqual([200, "", []]);
    expect(await isVerified(email)).toBe(false);
  });
});

// Programs open links as mailed. A link without a callback URL counts as a call.
test("every mailed link has a callback URL", async () => {
  const { email, browser } = await signUp(system);
  const { link } = await requestLink(email, browser);
  await followLink(link, { browser });
  await browser.post("/change-email", { newEmail: newEmail() });
  const isOther = (one: string) => one.includes("/verify-email?") && one !== link;
  const { links } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some(isOther),
  );
  await browser.post("/delete-user");
  const mailed = [link, ...links.filter(isOther), await linkTo(email, "/delete-user/callback?")];
  expect(mailed.map((one) => new URL(one).searchParams.get("callbackURL"))).toEqual([
    "/",
    "/",
    "/",
  ]);
});

describe("a verification link works once", () => {
  test("and signs in only the browser whose request verified the address", async () => {
    const ada = await signUp(system);
    const { link } = await requestLink(ada.email);
    const token = new URL(link).searchParams.get("token") ?? "";
    const browsers = Array.from({ length: 16 }, newBrowser);
    const answers = await Promise.all(
      browsers.map((browser) => browser.get(`/verify-email?token=${token}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await sessionsOf(ada)).toBe(2); // that of the sign-up, and one more
    const late = await newBrowser().get(`/verify-email?token=${token}`);
    expect([late.status, late.headers.getSetCookie()]).toEqual([200, []]);
  });

  test.each([
    [
      "a change of the password",
      (ada: TestUser) =>
        ada.browser.post("/change-password", { currentPassword: password, newPassword: another }),
    ],
    [
      "a change of the address, even if the old one is restored",
      async (ada: TestUser) => {
        await ada.browser.post("/change-email", { newEmail: newEmail() });
        await ada.browser.post("/change-email", { newEmail: ada.email });
      },
    ],
  ])("and is invalidated by %s", async (_, act) => {
    const ada = await signUp(system);
    const { link } = await requestLink(ada.email);
    await act(ada);
    const token = new URL(link).searchParams.get("token") ?? "";
    const opened = await newBrowser().get(`/verify-email?token=${token}`);
    expect([opened.status, await opened.json()]).toEqual([
      401,
      { code: "INVALID_TOKEN", message: "invalid_token" },
    ]);
    expect(await isVerified(ada.email)).toBe(false);
  });

  test("and does not verify the address for a later user after its own was deleted", async () => {
    const ada = await signUp(system);
    const { link } = await requestLink(ada.email);
    await rows.query("delete from identity.user where id = $1", ada.user.id);
    await newBrowser().post("/sign-up/email", { name: "Eve", email: ada.email, password });
    const token = new URL(link).searchParams.get("token") ?? "";
    expect((await newBrowser().get(`/verify-email?token=${token}`)).status).toBe(401);
    expect(await isVerified(ada.email)).toBe(false);
  });

  /** A link of `better-auth`, of which nothing is stored. */
  const foreignToken = (email: string, issuedAt = new Date()) =>
    signVerificationToken(
      createSecretRing([testSecret]),
      { email },
      { now: issuedAt, expiresInSeconds: 3_600 },
    );
  const unverify = (email: string) =>
    rows.query("update identity.user set email_verified = false where email = $1", email);

  test("even if it was imported from another application", async () => {
    const { email } = await signUp(system);
    const token = await foreignToken(email);
    expect((await newBrowser().get(`/verify-email?token=${token}`)).status).toBe(200);
    await unverify(email);
    expect((await newBrowser().get(`/verify-email?token=${token}`)).status).toBe(401);
    expect(await isVerified(email)).toBe(false);
  });

  test("and an imported one is invalidated by a newer password too", async () => {
    const ada = await signUp(system);
    const token = await foreignToken(ada.email, new Date(Date.now() - 60_000));
    expect((await newBrowser().get(`/verify-email?token=${token}`)).status).toBe(401);
    expect(await isVerified(ada.email)).toBe(false);
  });
});

describe("a link that changes an address", () => {
  const requestChange = async () => {
    const ada = await signUp(system);
    await followLink((await requestLink(ada.email, ada.browser)).link, ada);
    system.smtp.mails.length = 0;
    const next = newEmail();
    await ada.browser.post("/change-email", { newEmail: next, callbackURL: "/changed" });
    return { ...ada, next, link: await linkTo(ada.email, "/verify-email?") };
  };
  const emailOf = async ({ user: { id } }: Pick<TestUser, "user">) =>
    (await rows.query("select email from identity.user where id = $1", id))[0]?.["email"];

  test("asks browsers and scanners without the session of its user to sign in first", async () => {
    const ada = await requestChange();
    const other = (await signUp(system)).browser;
    const askers = [newBrowser(), other].flatMap((browser) =>
      [navigation, {}].map((headers) => ({ browser, headers })),
    );
    for (const { browser, headers } of askers) {
      const shown = await followLink(ada.link, { browser, headers });
      expect([shown.status, shown.headers["content-type"], shown.cookies]).toEqual([
        200,
        "text/html; charset=utf-8",
        [],
      ]);
      expect(shown.text).toContain("Sign in first");
      expect(shown.text).toContain('<a href="/account/sign-in">Sign in</a>');
      expect(shown.text).not.toContain("<form");
      expect(shown.text).not.toContain(ada.email);
    }
    expect(await emailOf(ada)).toBe(ada.email);
    const done = await followLink(ada.link, ada);
    expect([done.status, done.headers["location"]]).toEqual([302, "/changed"]);
    expect(await emailOf(ada)).toBe(ada.next);
  });

  test("is refused at its callback URL for a call without the session of its user", async () => {
    const ada = await requestChange();
    const opened = await newBrowser().get(ada.link.slice(system.url.length));
    expect([opened.status, opened.headers.get("location")]).toEqual([
      302,
      "/changed?error=unauthorized",
    ]);
  });
});

describe("a link that deletes an account", () => {
  const requestDeletion = async () => {
    const ada = await signUp(system);
    await ada.browser.post("/delete-user", { callbackURL: "/bye" });
    return { ...ada, link: await linkTo(ada.email, "/delete-user/callback?") };
  };
  const isThere = async ({ user: { id } }: Pick<TestUser, "user">) =>
    (await rows.query("select 1 from identity.user where id = $1", id)).length === 1;

  test("asks users without a session to sign in first, and returns JSON to programs", async () => {
    const ada = await requestDeletion();
    const led = await followLink(ada.link);
    expect([led.status, led.headers["location"]]).toEqual([
      302,
      "/account/delete-account?error=unauthorized",
    ]);
    const { text } = await followLink(ada.link, { headers: {} });
    expect(JSON.parse(text)).toMatchObject({ code: "FAILED_TO_GET_USER_INFO" });
    expect(await isThere(ada)).toBe(true);
  });

  test("sends the error of a refusal to its callback URL", async () => {
    const ada = await requestDeletion();
    const path = "/delete-user/callback";
    const locationOf = async (browser: BrowserLike, token: string) => {
      const query = new URLSearchParams({ token, callbackURL: "/bye?a=b&error=old" });
      const opened = await browser.get(`${path}?${query.toString()}`);
      return [opened.status, opened.headers.get("location")];
    };
    expect(await locationOf(ada.browser, "x")).toEqual([302, "/bye?a=b&error=invalid_token"]);
    const token = new URL(ada.link).searchParams.get("token") ?? "";
    expect(await locationOf(newBrowser(), token)).toEqual([302, "/bye?a=b&error=unauthorized"]);
    const posted = await ada.browser.post(path, { token: "x", callbackURL: "/bye" });
    expect([posted.status, posted.headers.get("location")]).toEqual([
      303,
      "/bye?error=invalid_token",
    ]);
    const followed = await followLink(ada.link.replace(token, "x"), ada);
    expect([followed.status, followed.headers["location"]]).toEqual([
      302,
      "/bye?error=invalid_token",
    ]);
    expect(await isThere(ada)).toBe(true);
  });

  test("asks for confirmation on a prefetch, and deletes when it is opened", async () => {
    const ada = await requestDeletion();
    const headers = { ...navigation, "sec-purpose": "prefetch" };
    const page = await followLink(ada.link, { browser: ada.browser, headers });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Delete account")]);
    expect(await isThere(ada)).toBe(true);
    const done = await followLink(ada.link, ada);
    expect([done.status, done.headers.location]).toEqual([302, "/bye"]);
    expect(await isThere(ada)).toBe(false);
  });

  test("deletes by the button of its page", async () => {
    const ada = await requestDeletion();
    const headers = { ...navigation, "sec-purpose": "prefetch" };
    const { text } = await followLink(ada.link, { browser: ada.browser, headers });
    const done = await pressButton(ada.link, text, ada);
    expect([done.status, done.headers.location]).toEqual([303, "/bye"]);
    expect(await isThere(ada)).toBe(false);
  });
});

/** Attack: an attacker registers another person's address with a password, and waits for its owner. */
describe("a password that was set before the owner of the address signed in", () => {
  const comeByProvider = (email: string) => signInWith(system, { profile: newProfile({ email }) });
  const resetByMail = async (email: string) => {
    await newBrowser().post("/request-password-reset", { email, redirectTo: "/reset" });
    const token = /reset-password\/(\w+)/.exec(await linkTo(email, "/reset-password/"))?.[1];
    const body = { token, newPassword: another };
    expect((await newBrowser().post("/reset-password", body)).status).toBe(200);
  };
  const verifyElsewhere = async (email: string) => {
    const { link, browser } = await requestLink(email);
    await followLink(link, { browser }); // the owner's browser, in which the password was never used
    expect(await isVerified(email)).toBe(true);
    await browser.post("/sign-out");
  };

  test("is removed by a provider sign-in after the link alone verified the address", async () => {
    const attacker = await signUp(system);
    await verifyElsewhere(attacker.email);
    const owner = await comeByProvider(attacker.email);
    expect((await readSession(owner.browser))?.user.id).toBe(attacker.user.id);
    expect(await readSession(attacker.browser)).toBeNull();
    expect(await signInBy(attacker.email)).toBe(401);
  });

  test("keeps no session after a reset by the owner if the link alone verified the address", async () => {
    const attacker = await signUp(system);
    await verifyElsewhere(attacker.email);
    await resetByMail(attacker.email);
    expect(await readSession(attacker.browser)).toBeNull();
    expect(await signInBy(attacker.email, another)).toBe(200);
    // The reader of the mail owns the user from now on, and loses nothing by another sign-in.
    await comeByProvider(attacker.email);
    expect(await signInBy(attacker.email, another)).toBe(200);
  });

  test("stays if its own session opened the link", async () => {
    const ada = await signUp(system);
    const { link } = await requestLink(ada.email, ada.browser);
    await followLink(link, ada);
    await comeByProvider(ada.email);
    expect((await readSession(ada.browser))?.user.emailVerified).toBe(true);
    expect(await signInBy(ada.email)).toBe(200);
  });

  /** Attack: support is asked to verify an address that a stranger registered. */
  test("ends when the owner comes by a provider after an admin verified the address", async () => {
    const attacker = await signUp(system);
    const admin = await signUpAs(system, "admin");
    const verified = await callAdmin(admin, `/users/${attacker.user.id}/verify-email`, {});
    expect(verified.status).toBe(200);
    const owner = await comeByProvider(attacker.email);
    expect((await readSession(owner.browser))?.user.id).toBe(attacker.user.id);
    expect(await readSession(attacker.browser)).toBeNull();
    expect(await signInBy(attacker.email)).toBe(401);
  });

  /** Attack: the owner links a provider in the session that the mailed link gave them, which made the stranger's password permanent. */
  test("ends when the owner signs in by a provider that they linked after a link alone verified the address", async () => {
    const attacker = await signUp(system);
    const profile = newProfile({ email: attacker.email });
    const { link, browser: owner } = await requestLink(attacker.email);
    await followLink(link, { browser: owner });
    expect((await readSession(owner))?.user.id).toBe(attacker.user.id);
    await linkWith({ browser: owner, profile });
    const later = await signInWith(system, { profile });
    expect((await readSession(later.browser))?.user.id).toBe(attacker.user.id);
    expect(await readSession(attacker.browser)).toBeNull();
    expect(await signInBy(attacker.email)).toBe(401);
    // The owner holds the user from here on, and nothing ends at the next sign-in.
    await comeByProvider(attacker.email);
    expect((await readSession(later.browser))?.user.id).toBe(attacker.user.id);
  });
});

describe("an account at a provider that verifies the user's address", () => {
  const linked = async () => {
    const ada = await signUp(system);
    const profile = newProfile({ email: ada.email });
    await linkWith({ ...ada, profile });
    return { ...ada, profile };
  };

  test("verifies the address when it is linked, and survives a reset by mail", async () => {
    const ada = await linked();
    expect((await readSession(ada.browser))?.user.emailVerified).toBe(true);
    await ada.browser.post("/request-password-reset", { email: ada.email, redirectTo: "/reset" });
    const token = /reset-password\/(\w+)/.exec(await linkTo(ada.email, "/reset-password/"))?.[1];
    await newBrowser().post("/reset-password", { token, newPassword: another });
    const back = await signInWith(system, { profile: ada.profile });
    expect([back.location, (await readSession(back.browser))?.user.id]).toEqual([
      system.origin,
      ada.user.id,
    ]);
  });

  test("verifies the address when the user who linked it earlier signs in by it", async () => {
    const ada = await linked();
    await rows.query("update identity.user set email_verified = false where id = $1", ada.user.id);
    const { browser } = await signInWith(system, { profile: ada.profile });
    expect((await readSession(browser))?.user.emailVerified).toBe(true);
  });

  test("verifies nothing if the provider does not, or for another address", async () => {
    const [ada, grace] = [await signUp(system), await signUp(system)];
    const [unproven, other] = [{ email: ada.email, email_verified: false }, {}];
    await linkWith({ ...ada, profile: newProfile(unproven) });
    await linkWith({ ...grace, profile: newProfile(other) });
    expect([await isVerified(ada.email), await isVerified(grace.email)]).toEqual([false, false]);
  });
});
