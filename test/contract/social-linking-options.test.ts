import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { type Stack, startStack } from "../stack.ts";
import {
  newEmail,
  openRows,
  refusal,
  type Rows,
  seen,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import {
  atTest,
  googleAtTest,
  googleToken,
  linkAt,
  reachable,
  signInAt,
  whoIs,
} from "./social-flow.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

type Linking = NonNullable<NonNullable<LatchkeyConfig["account"]>["accountLinking"]>;
let stack: Stack;
let rows: Rows;

const startWith = async (accountLinking: Linking) => {
  stack = await startStack({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { accountLinking },
      socialProviders: { plain: atTest(oauth), google: googleAtTest(oauth) },
    },
  });
  rows = openRows(stack);
};
afterEach(async () => {
  await rows.close();
  await stack.stop();
});

const there = { name: "Ada Lovelace", picture: "https://example.com/there.png" };
const newProfile = (given: object = {}) => ({
  ...there,
  sub: newEmail(),
  email_verified: true,
  ...given,
});

const bring = async ({ browser }: SignedUp, claims: object) =>
  browser.post("/link-social", {
    provider: "google",
    idToken: { token: await googleToken(oauth, { ...claims }) },
  });
const errorPage = (error: string) => `${stack.url}/error?error=${error}`;
const prove = (ada: SignedUp) =>
  rows.ask("update identity.user set email_verified = true where id = $1", ada.user.id);

test("with linking off nobody links, by address or signed in, and new users can still sign up", async () => {
  await startWith({ enabled: false, trustedProviders: ["plain", "google"] });
  const ada = await signUp(stack);
  await prove(ada);
  const profile = newProfile({ email: ada.email });
  expect((await linkAt({ ...ada, profile })).location).toBe(errorPage("unable_to_link_account"));
  expect(await seen(await bring(ada, profile))).toEqual(
    refusal(
      401,
      "ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED",
      "Account not linked - linking not allowed",
    ),
  );
  expect((await signInAt(stack, { profile })).location).toBe(errorPage("account_not_linked"));
  const somebody = await signInAt(stack, { profile: newProfile({ email: newEmail() }) });
  expect(somebody.location).toBe(stack.origin);
});

test("with linking by address off only signed-in users link", async () => {
  await startWith({ disableImplicitLinking: true });
  const ada = await signUp(stack);
  await prove(ada);
  const profile = newProfile({ email: ada.email });
  expect((await signInAt(stack, { profile })).location).toBe(errorPage("account_not_linked"));
  expect((await linkAt({ ...ada, profile })).location).toBe(stack.origin);
});

test("if addresses may differ, an account of any verified address is linked in both ways", async () => {
  await startWith({ allowDifferentEmails: true });
  const ada = await signUp(stack);
  const { location } = await linkAt({ ...ada, profile: newProfile({ email: newEmail() }) });
  expect(location).toBe(stack.origin);
  expect((await bring(ada, newProfile({ email: newEmail() }))).status).toBe(200);
  const unproven = newProfile({ email: newEmail(), email_verified: false });
  expect((await bring(ada, unproven)).status).toBe(401);
  expect((await whoIs(ada.browser))?.user).toMatchObject({ email: ada.email, name: "Ada" });
});

test.each<[string, Linking["trustedProviders"]]>([
  ["a list", ["plain"]],
  ["a function", async ({ baseUrl }) => (baseUrl === stack.url ? ["plain"] : [])],
])("trusts only the verification of a provider that is trusted by %s", async (_, given) => {
  await startWith({ trustedProviders: given });
  const ada = await signUp(stack);
  await prove(ada);
  const unproven = newProfile({ email: ada.email, email_verified: false });
  expect((await signInAt(stack, { profile: unproven })).location).toBe(stack.origin);
  expect((await bring(ada, unproven)).status).toBe(401);
  const other = newProfile({ email: ada.email, email_verified: false });
  expect((await linkAt({ ...ada, profile: other })).location).toBe(stack.origin);
});

test("if linking needs a fresh session, an old one is rejected first", async () => {
  await startWith({ requireFreshSession: true });
  const ada = await signUp(stack);
  const body = { provider: "unknown" };
  expect((await ada.browser.post("/link-social", body)).status).toBe(404);
  await rows.ask(
    "update identity.session set updated_at = now() - interval '2 days', created_at = now() - interval '2 days'",
  );
  expect(await seen(await ada.browser.post("/link-social", body))).toEqual(
    refusal(403, "SESSION_IS_NOT_FRESH", "Session is not fresh"),
  );
});

test("an option lets linking copy name and image in both ways, and nothing else", async () => {
  await startWith({ updateUserInfoOnLink: true, allowDifferentEmails: true });
  const [ada, bob] = [await signUp(stack), await signUp(stack)];
  await linkAt({ ...ada, profile: newProfile({ email: newEmail() }) });
  await bring(bob, newProfile({ email: newEmail() }));
  for (const { browser, email } of [ada, bob])
    expect((await whoIs(browser))?.user).toMatchObject({
      name: there.name,
      image: there.picture,
      email,
      emailVerified: false,
    });
});

test("an option disables the notification mail", async () => {
  await startWith({ notifyByMail: false });
  const ada = await signUp(stack);
  await prove(ada);
  await linkAt({ ...ada, profile: newProfile({ email: ada.email }) });
  const events = await rows.ask("select 1 from identity.outbox where name = 'account.linked'");
  expect(events).toEqual([]);
});
