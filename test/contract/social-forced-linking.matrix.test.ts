import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { openRows, type Rows, verifyAddress } from "../harness/rows.ts";
import {
  beginSignIn,
  type BegunSignIn,
  callCallback,
  newProfile,
  reachable,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

// Attack: a flow is finished in another user's browser, so that one user's provider account opens the other's account.

interface OpenSystem {
  system: System;
  rows: Rows;
}

let oauth: OAuthProvider;
let usual: OpenSystem;
/** A system in which a callback needs no cookie. */
let loose: OpenSystem;
const open = async (skipStateCookieCheck: boolean): Promise<OpenSystem> => {
  const system = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { skipStateCookieCheck },
      socialProviders: { plain: testProvider(oauth) },
    },
  });
  return { system, rows: openRows(system) };
};
beforeAll(async () => {
  oauth = await startOAuthProvider();
  [usual, loose] = [await open(false), await open(true)];
});
afterAll(async () => {
  for (const { system, rows } of [usual, loose]) {
    await rows.close();
    await system.stop();
  }
  await oauth.stop();
});

const body = { provider: "plain", callbackURL: "/in", errorCallbackURL: "/oops" };
const startSignIn = (browser: BrowserLike) => beginSignIn(browser, body);
const startLink = (browser: BrowserLike) => beginSignIn(browser, body, "/link-social");
const finish = (begun: BegunSignIn, profile: object) =>
  callCallback(begun, "plain", { state: begun.state, code: codeFor(profile) });

/** Signs up a user with a verified address, so that only the browser can prevent a linking. */
const somebody = async ({ system, rows }: OpenSystem) => {
  const one = await signUp(system);
  await verifyAddress(rows, one.user.id);
  return one;
};
const ownersOf = async ({ rows }: OpenSystem, { sub }: { sub: string }) =>
  (await rows.query("select user_id from identity.account where account_id = $1", sub)).map(
    ({ user_id: id }) => id,
  );
const restart = () => `${usual.system.url}/error?error=please_restart_the_process`;

test.each<[string, (victim: BrowserLike) => Promise<BegunSignIn | undefined>]>([
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
  expect((await readSession(victim.browser))?.user.id).toBe(victim.user.id);
  const ownAttempts = [[begun, mallory] as const, ...(own ? [[own, victim] as const] : [])];
  for (const [one, { email, user }] of ownAttempts) {
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
    const url = `${usual.system.url}/callback/plain`;
    const answer = await fetch(url, { ...posted, body: form });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(await ownersOf(usual, profile)).toEqual([]);
  }
  expect((await finish(own, newProfile({ email: victim.email }))).location).toBe("/in");
});
