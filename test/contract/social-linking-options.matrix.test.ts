import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type OAuthProvider, startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { matrixTest, representatives } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows, verifyAddress } from "../harness/rows.ts";
import {
  googleToken,
  linkWith,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

type Linking = NonNullable<NonNullable<LatchkeyConfig["account"]>["accountLinking"]>;
let system: System;
let rows: Rows;

const startWith = async (accountLinking: Linking) => {
  system = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { accountLinking },
      socialProviders: { plain: testProvider(oauth), google: testGoogle(oauth) },
    },
  });
  rows = openRows(system);
};
afterEach(async () => {
  await rows.close();
  await system.stop();
});

const there = { name: "Ada Lovelace", picture: "https://example.com/there.png" };
const newProfile = (given: object = {}) => ({
  ...there,
  sub: newEmail(),
  email_verified: true,
  ...given,
});

const bring = async ({ browser }: TestUser, claims: object) =>
  browser.post("/link-social", {
    provider: "google",
    idToken: { token: await googleToken(oauth, { ...claims }) },
  });
const errorPage = (error: string) => `${system.url}/error?error=${error}`;
const prove = (ada: TestUser) => verifyAddress(rows, ada.user.id);

test("with linking off nobody links, by address or signed in, and new users can still sign up", async () => {
  await startWith({ enabled: false, trustedProviders: ["plain", "google"] });
  const ada = await signUp(system);
  await prove(ada);
  const profile = newProfile({ email: ada.email });
  expect((await linkWith({ ...ada, profile })).location).toBe(errorPage("unable_to_link_account"));
  expect(await readResponse(await bring(ada, profile))).toEqual(
    errorResponse(
      401,
      "ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED",
      "Account not linked - linking not allowed",
    ),
  );
  expect((await signInWith(system, { profile })).location).toBe(errorPage("account_not_linked"));
  const somebody = await signInWith(system, { profile: newProfile({ email: newEmail() }) });
  expect(somebody.location).toBe(system.origin);
});

matrixTest("with linking by address off only signed-in users link", async () => {
  await startWith({ disableImplicitLinking: true });
  const ada = await signUp(system);
  await prove(ada);
  const profile = newProfile({ email: ada.email });
  expect((await signInWith(system, { profile })).location).toBe(errorPage("account_not_linked"));
  expect((await linkWith({ ...ada, profile })).location).toBe(system.origin);
});

test("if addresses may differ, an account of any verified address is linked in both ways", async () => {
  await startWith({ allowDifferentEmails: true });
  const ada = await signUp(system);
  const { location } = await linkWith({ ...ada, profile: newProfile({ email: newEmail() }) });
  expect(location).toBe(system.origin);
  expect((await bring(ada, newProfile({ email: newEmail() }))).status).toBe(200);
  const unproven = newProfile({ email: newEmail(), email_verified: false });
  expect((await bring(ada, unproven)).status).toBe(401);
  expect((await readSession(ada.browser))?.user).toMatchObject({ email: ada.email, name: "Ada" });
});

const trusting: [string, Linking["trustedProviders"]][] = [
  ["a list", ["plain"]],
  ["a function", async ({ baseUrl }) => (baseUrl === system.url ? ["plain"] : [])],
];
// `social-claim.test.ts` has a list.
test.each(representatives(trusting, ([how]) => how === "a function"))(
  "trusts only the verification of a provider that is trusted by %s",
  async (_, given) => {
    await startWith({ trustedProviders: given });
    const ada = await signUp(system);
    await prove(ada);
    const unproven = newProfile({ email: ada.email, email_verified: false });
    expect((await signInWith(system, { profile: unproven })).location).toBe(system.origin);
    expect((await bring(ada, unproven)).status).toBe(401);
    const other = newProfile({ email: ada.email, email_verified: false });
    expect((await linkWith({ ...ada, profile: other })).location).toBe(system.origin);
  },
);

// Attack: a thief of an old session links an account of their own, and signs in by it for as long as they like.
const linkings: Linking[] = [{}, { trustedProviders: ["plain"] }, { allowDifferentEmails: true }];
test.each(representatives(linkings, ({ allowDifferentEmails }) => allowDifferentEmails === true))(
  "with %j an old session is rejected first, however lately it was used",
  async (linking) => {
    await startWith(linking);
    const ada = await signUp(system);
    const body = { provider: "unknown" };
    expect((await ada.browser.post("/link-social", body)).status).toBe(404);
    await rows.query("update identity.session set authenticated_at = now() - interval '2 days'");
    expect(await readResponse(await ada.browser.post("/link-social", body))).toMatchObject({
      status: 403,
      body: { code: "SESSION_IS_NOT_FRESH", details: { requires: "sign-in" } },
    });
  },
);

test("an option lets linking copy name and image in both ways, and nothing else", async () => {
  await startWith({ updateUserInfoOnLink: true, allowDifferentEmails: true });
  const [ada, bob] = [await signUp(system), await signUp(system)];
  await linkWith({ ...ada, profile: newProfile({ email: newEmail() }) });
  await bring(bob, newProfile({ email: newEmail() }));
  for (const { browser, email } of [ada, bob])
    expect((await readSession(browser))?.user).toMatchObject({
      name: there.name,
      image: there.picture,
      email,
      emailVerified: false,
    });
});

test("an option disables the notification mail", async () => {
  await startWith({ notifyByMail: false });
  const ada = await signUp(system);
  await prove(ada);
  await linkWith({ ...ada, profile: newProfile({ email: ada.email }) });
  const events = await rows.query("select 1 from identity.outbox where name = 'account.linked'");
  expect(events).toEqual([]);
});
