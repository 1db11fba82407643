import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { followLink, navigation, pressButton } from "../harness/mailed-links.ts";
import { enableApp } from "../harness/second-factor.ts";
import { sendRaw } from "../harness/send-raw.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, readSession, signUp, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    trustedOrigins: ["https://app.example.com", "myapp://"],
    emailVerification: { sendOnSignUp: false },
    magicLink: { enabled: true },
    user: { changeEmail: { enabled: true } },
  },
});

const newBrowser = () => createBrowserLike(system.url);

const linkTo = async (email: string, path = "/magic-link/verify?"): Promise<string> => {
  const isLink = (one: string) => one.includes(path);
  const { links } = await system.smtp.waitForMail(
    (mail) => mail.to.includes(email) && mail.links.some(isLink),
  );
  return links.find(isLink) ?? "";
};

/** Requests a link in a browser. */
const requestLink = async (email: string, own: object = {}) => {
  const browser = newBrowser();
  const response = await browser.post("/sign-in/magic-link", { email, ...own });
  expect([response.status, await response.json()]).toEqual([200, { status: true }]);
  return { browser, response, link: await linkTo(email) };
};

describe("a link", () => {
  test("signs in at once in the requesting browser, which keeps a signed cookie", async () => {
    const email = newEmail();
    const { browser, response, link } = await requestLink(email, { callbackURL: "/home?a=%2Fb" });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^auth\.magic_link=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const opened = await followLink(link, { browser });
    expect([opened.status, opened.headers["location"]]).toEqual([
      302,
      `${system.origin}/home?a=%2Fb`,
    ]);
    expect(await readSession(browser)).toMatchObject({ user: { email, emailVerified: true } });
  });

  test("shows a page in another browser, which signs in by its button", async () => {
    const email = newEmail();
    const { link } = await requestLink(email, {
      callbackURL: "https://app.example.com/in",
      newUserCallbackURL: "myapp://welcome",
    });
    const elsewhere = newBrowser();
    const page = await followLink(link, { browser: elsewhere });
    expect([page.status, page.cookies]).toEqual([200, []]);
    expect(page.headers).toMatchObject({ "cache-control": "no-store" });
    expect(page.headers["content-security-policy"]).toContain(
      "form-action 'self' https://app.example.com myapp:",
    );
    expect(page.text).toContain("…@example.com");
    expect(page.text).not.toContain("<script");
    const pressed = await pressButton(link, page.text, { browser: elsewhere });
    expect([pressed.status, pressed.headers["location"]]).toEqual([303, "myapp://welcome"]);
    expect(await readSession(elsewhere)).toMatchObject({ user: { email } });
    const again = await followLink(link, { browser: elsewhere });
    expect([again.status, again.headers["location"]]).toEqual([
      302,
      "https://app.example.com/in?error=INVALID_TOKEN",
    ]);
  });

  test("is not used up by a prefetch, a HEAD or a form of a foreign page", async () => {
    const { browser, link } = await requestLink(newEmail());
    const prefetched = await followLink(link, {
      browser,
      headers: { ...navigation, "sec-purpose": "prefetch" },
    });
    expect([prefetched.status, prefetched.cookies]).toEqual([200, []]);
    const { origin, pathname, search } = new URL(link);
    expect((await sendRaw(origin, { method: "HEAD", target: pathname + search })).status).toBe(200);
    const forged = await pressButton(link, prefetched.text, {
      browser: newBrowser(),
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    expect(forged.status).toBe(403);
    expect((await followLink(link, { browser })).status).toBe(302);
  });

  test("without a callbackURL answers the client's call with token, user and session", async () => {
    const email = newEmail();
    const { link } = await requestLink(email);
    const token = new URL(link).searchParams.get("token") ?? "";
    const browser = newBrowser();
    const response = await browser.get(`/magic-link/verify?token=${token}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      token: expect.any(String),
      user: { email, emailVerified: true, name: "" },
      session: { userId: expect.any(String), token: expect.any(String) },
    });
    const again = await browser.get(`/magic-link/verify?token=${token}`);
    expect([again.status, await again.json()]).toEqual([
      400,
      { code: "INVALID_TOKEN", message: "Invalid token" },
    ]);
  });
});

describe("a request for a link", () => {
  test.each([
    [{ email: "no address" }, 400, "VALIDATION_ERROR"],
    [{ email: "a@example.com", metadata: { a: "x".repeat(5000) } }, 400, "VALIDATION_ERROR"],
    [{ email: "a@example.com", callbackURL: "https://evil.example" }, 403, "INVALID_CALLBACKURL"],
    [
      { email: "a@example.com", newUserCallbackURL: "//evil.example" },
      403,
      "INVALID_NEWUSERCALLBACKURL",
    ],
    [
      { email: "a@example.com", errorCallbackURL: "https://evil.example" },
      403,
      "INVALID_ERRORCALLBACKURL",
    ],
  ])("with %j is refused", async (body, status, code) => {
    const response = await newBrowser().post("/sign-in/magic-link", body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ]);
  });
});

test("a link without a callback continues in the account web, with the second factor first", async () => {
  const follow = async ({ email }: Pick<TestUser, "email">) => {
    await verifyAddress(rows, email);
    const { browser, link } = await requestLink(email);
    const led = await followLink(link.replace(/&callbackURL=[^&]*/, ""), { browser });
    expect(led.status).toBe(302);
    return { browser, location: new URL(led.headers["location"] ?? "", system.origin) };
  };
  const ada = await signUp(system);
  const { browser, location } = await follow(ada);
  expect(location.href).toBe(`${system.origin}/account/continue`);
  expect((await readSession(browser))?.user.email).toBe(ada.email);
  const grace = await signUp(system);
  await enableApp(grace);
  const waiting = await follow(grace);
  expect(waiting.location.pathname).toBe("/account/continue");
  expect(Object.fromEntries(waiting.location.searchParams)).toEqual({
    twoFactorRedirect: "true",
    twoFactorMethods: expect.stringContaining("totp"),
  });
  expect(await readSession(waiting.browser)).toBeNull();
});

/** A thief in a session changes the address. The owner reads the mail to the old one. */
test("the old address undoes a change of the address by the page of its mail", async () => {
  const { email, browser } = await signUp(system);
  await verifyAddress(rows, email);
  const stolen = newEmail();
  await browser.post("/change-email", { newEmail: stolen });
  await followLink(await linkTo(email, "/verify-email?"), { browser });
  const undo = await linkTo(email, "/change-email/undo?");
  const page = await followLink(undo);
  expect([page.status, page.text.includes("Undo the change")]).toEqual([200, true]);
  const done = await pressButton(undo, page.text);
  expect([done.status, done.text.includes("Your email is as before")]).toEqual([200, true]);
  expect(await readSession(browser)).toBeNull();
  await linkTo(email, "/reset-password/");
  const signIn = (address: string) =>
    newBrowser().post("/sign-in/email", { email: address, password });
  expect([(await signIn(email)).status, (await signIn(stolen)).status]).toEqual([401, 401]);
});
