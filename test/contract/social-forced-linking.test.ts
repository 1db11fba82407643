import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BrowserLike } from "../browser-like.ts";
import { codeFor, type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { type Stack, startStack } from "../stack.ts";
import { openRows, type Rows, signUp } from "./identity-people.ts";
import {
  atTest,
  begin,
  type Begun,
  comeBack,
  newProfile,
  reachable,
  whoIs,
} from "./social-flow.ts";

expectNoLeaks("file");

// Attack: a flow is finished in another user's browser, so that one user's provider account opens the other's account.

interface System {
  stack: Stack;
  rows: Rows;
}

let oauth: OAuthProvider;
let usual: System;
/** A system in which a callback needs no cookie. */
let loose: System;
const open = async (skipStateCookieCheck: boolean): Promise<System> => {
  const stack = await startStack({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { skipStateCookieCheck },
      socialProviders: { plain: atTest(oauth) },
    },
  });
  return { stack, rows: openRows(stack) };
};
beforeAll(async () => {
  oauth = await startOAuthProvider();
  [usual, loose] = [await open(false), await open(true)];
});
afterAll(async () => {
  for (const { stack, rows } of [usual, loose]) {
    await rows.close();
    await stack.stop();
  }
  await oauth.stop();
});

const body = { provider: "plain", callbackURL: "/in", errorCallbackURL: "/oops" };
const startSignIn = (browser: BrowserLike) => begin(browser, body);
const startLink = (browser: BrowserLike) => begin(browser, body, "/link-social");
const finish = (begun: Begun, profile: object) =>
  comeBack(begun, "plain", { state: begun.state, code: codeFor(profile) });

/** Signs up a user with a verified address, so that only the browser can prevent a linking. */
const somebody = async ({ stack, rows }: System) => {
  const one = await signUp(stack);
  await rows.ask("update identity.user set email_verified = true where id = $1", one.user.id);
  return one;
};
const ownersOf = async ({ rows }: System, { sub }: { sub: string }) =>
  (await rows.ask("select user_id from identity.account where account_id = $1", sub)).map(
    ({ user_id: id }) => id,
  );
const restart = () => `${usual.stack.url}/error?error=please_restart_the_process`;

test.each<[string, (victim: BrowserLike) => Promise<Begun | undefined>]>([
  ["began nothing", async () => undefined],
  ["began a sign-in", startSignIn],
  ["began a linking of its own", startLink],
])("a linking cannot be finished in another user's browser that %s", async (_what, beginOwn) => {
  const [mallory, victim] = [await somebody(usual), await somebody(usual)];
  const begun = await startLink(mallory.browser);
  const own = await beginOwn(victim.browser);
  for (const { email } of [mallory, victim]) {
    const profile = newProfile({ email });
    const back = await finish({ ...begun, browser: victim.browser }, profile);
    expect([back.location, await ownersOf(usual, profile)]).toEqual([restart(), []]);
  }
  expect((await whoIs(victim.browser))?.user.id).toBe(victim.user.id);
  const left = [[begun, mallory] as const, ...(own ? [[own, victim] as const] : [])];
  for (const [one, { email, user }] of left) {
    const profile = newProfile({ email });
    expect((await finish(one, profile)).location).toBe("/in");
    expect(await ownersOf(usual, profile)).toEqual([user.id]);
  }
});

test("a linking cannot be finished by another signed-in user, even if no cookie is required", async () => {
  const [mallory, victim] = [await somebody(loose), await somebody(loose)];
  for (const { email } of [mallory, victim]) {
    const begun = await startLink(mallory.browser);
    const profile = newProfile({ email });
    const { location } = await finish({ ...begun, browser: victim.browser }, profile);
    expect(location).toBe("/oops?error=unable_to_link_account");
    expect(await ownersOf(loose, profile)).toEqual([]);
  }
});

/** A browser that sends cookies everywhere adds all of the victim's cookies to a foreign page's POST. */
test("a foreign page's POST finishes neither a linking nor a sign-in of another user", async () => {
  const victim = await somebody(usual);
  const own = await startLink(victim.browser);
  const cookie = [...victim.browser.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { cookie, origin: "https://evil.com", "sec-fetch-site": "cross-site" };
  for (const start of [startLink, startSignIn]) {
    const mallory = await somebody(usual);
    const { state } = await start(mallory.browser);
    const profile = newProfile({ email: mallory.email });
    const posted = { method: "POST", redirect: "manual", headers } as const;
    const form = new URLSearchParams({ state, code: codeFor(profile) });
    const url = `${usual.stack.url}/callback/plain`;
    const answer = await fetch(url, { ...posted, body: form });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(await ownersOf(usual, profile)).toEqual([]);
  }
  expect((await finish(own, newProfile({ email: victim.email }))).location).toBe("/in");
});
