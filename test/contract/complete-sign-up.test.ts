import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { followLink } from "../harness/mailed-links.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { race } from "../harness/race.ts";
import {
  beginSignIn,
  callCallback,
  newProfile,
  reachable,
  testProvider,
} from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
const { system, rows } = useSystem(async () => {
  oauth = await startOAuthProvider();
  return {
    stores: "postgres",
    config: {
      advanced: reachable,
      magicLink: { enabled: true },
      anonymous: { enabled: true },
      socialProviders: { plain: testProvider(oauth) },
      user: {
        additionalFields: {
          company: { type: "string" },
          plan: { type: "string", input: false, defaultValue: "free" },
        },
      },
    },
  };
});
afterAll(async () => {
  await oauth?.stop();
});

type Browser = ReturnType<typeof createBrowserLike>;

const complete = async (browser: Browser, body: object) => {
  const response = await browser.post("/complete-sign-up", body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const usersWith = (email: string) =>
  rows.query("select id from identity.user where email = $1", email);

/** Returns a browser whose sign-up at the provider lacks the company, and the address. */
const beginAtProvider = async (browser = createBrowserLike(system.url)) => {
  const profile = newProfile();
  const begun = await beginSignIn(browser, {
    provider: "plain",
    callbackURL: "/home",
    errorCallbackURL: "/sorry",
  });
  const code = codeFor(profile);
  const { location } = await callCallback(begun, "plain", { code, state: begun.state });
  expect(location).toContain("/sorry?error=company_is_required");
  return { browser, email: profile.email };
};

/** Returns a browser whose sign-up by a link lacks the company, and the address. */
const beginByLink = async () => {
  const email = newEmail();
  const browser = createBrowserLike(system.url);
  await browser.post("/sign-in/magic-link", {
    email,
    callbackURL: "/home",
    errorCallbackURL: "/sorry",
  });
  const { links } = await system.smtp.waitForMail(email);
  const opened = await followLink(links[0] ?? "", { browser });
  expect(opened.headers["location"]).toContain("/sorry?error=COMPANY_IS_REQUIRED");
  return { browser, email };
};

test.each([
  ["at a provider", () => beginAtProvider()],
  ["by a mailed link", beginByLink],
])(
  "a sign-up %s without a required field has no user and no session until it is sent",
  async (_, begin) => {
    const { browser, email } = await begin();
    expect([await readSession(browser), await usersWith(email)]).toEqual([null, []]);
    expect(await complete(browser, { plan: "gold" })).toMatchObject({
      status: 400,
      body: { code: "COMPANY_IS_REQUIRED" },
    });
    expect(await usersWith(email)).toEqual([]);
    expect(await complete(browser, { company: "Acme", plan: "gold" })).toMatchObject({
      status: 200,
      body: { user: { email, emailVerified: true, company: "Acme", plan: "free" } },
    });
    expect((await readSession(browser))?.user.email).toBe(email);
  },
);

test("a guest stays one while a sign-up at a provider waits, and keeps the id once it is completed", async () => {
  const browser = createBrowserLike(system.url);
  await browser.post("/sign-in/anonymous");
  const id = (await readSession(browser))?.user.id;
  const { email } = await beginAtProvider(browser);
  expect(await readSession(browser)).toMatchObject({ user: { id, isAnonymous: true } });
  expect(await complete(browser, { company: "Acme" })).toMatchObject({ status: 200 });
  expect(await readSession(browser)).toMatchObject({ user: { id, email, isAnonymous: false } });
});

test("one of 16 concurrent completions creates the user", async () => {
  const { browser, email } = await beginByLink();
  const answers = await race(() => complete(browser, { company: "Acme" }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await usersWith(email)).toHaveLength(1);
});

/** Attack: a sign-up that waits must not open the account that somebody else has registered meanwhile. */
test.each([
  ["at a provider", () => beginAtProvider()],
  ["by a mailed link", beginByLink],
])("a sign-up %s signs in no user who has registered the address meanwhile", async (_, begin) => {
  const { browser, email } = await begin();
  await signUp(system, { email, company: "Other" } as object);
  expect(await complete(browser, { company: "Acme" })).toMatchObject({
    status: 400,
    body: { code: "INVALID_TOKEN" },
  });
  expect(await readSession(browser)).toBeNull();
});

test("another browser cannot complete a sign-up", async () => {
  await beginByLink();
  expect(await complete(createBrowserLike(system.url), { company: "Acme" })).toMatchObject({
    status: 400,
    body: { code: "INVALID_TOKEN" },
  });
});
