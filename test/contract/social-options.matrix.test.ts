import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { type OAuthProvider, startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  googleToken,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
let system: System;
let rows: Rows;
/** The arguments of the application's functions. */
const received: Record<string, unknown> = {};

beforeAll(async () => {
  oauth = await startOAuthProvider();
  const at = (options: object = {}) => testProvider(oauth, options);
  system = await startSystem({
    stores: "redis",
    config: {
      advanced: reachable,
      user: {
        additionalFields: {
          plan: { type: "string", required: false, input: false },
          level: { type: "number", required: false },
        },
      },
      socialProviders: {
        plain: at(),
        off: at({ enabled: false }),
        quiet: at({ disableImplicitSignUp: true }),
        overriding: at({ overrideUserInfoOnSignIn: true }),
        mapping: at({
          mapProfileToUser: (profile: Record<string, unknown>) => ({
            name: `Dr ${String(profile["name"])}`,
            plan: profile["plan"],
            level: 7,
            role: "admin",
            id: "chosen",
          }),
        }),
        failing: at({
          mapProfileToUser: () => {
            throw new Error("secret of the application");
          },
        }),
        reading: at({
          getUserInfo: async (tokens: Record<string, unknown>) => {
            received["getUserInfo"] = tokens;
            const user = { id: 42, name: "Read", email: "read@example.com", emailVerified: true };
            return { user: { ...user, plan: "own" }, data: { any: "thing" } };
          },
        }),
        reader: at({ getUserInfo: () => null }),
        judging: at({
          verifyIdToken: async (idToken: string, nonce?: string) => {
            received["verifyIdToken"] = nonce;
            return idToken.length > 10;
          },
          getUserInfo: (tokens: Record<string, unknown>) => ({
            user: { id: "judged", email: "judged@example.com", emailVerified: true },
            data: { had: tokens["idToken"] !== undefined },
          }),
        }),
        google: {
          ...testGoogle(oauth),
          overrideUserInfoOnSignIn: true,
        },
      },
    },
  });
  rows = openRows(system);
});
afterAll(async () => {
  await rows.close();
  await system.stop();
  await oauth.stop();
});
beforeEach(() => oauth.reset());

const newProfile = (own: object = {}) => ({
  sub: newEmail(),
  name: "Ada",
  email: newEmail(),
  email_verified: true,
  picture: "https://example.com/there.png",
  ...own,
});
type Coming = Parameters<typeof signInWith>[1];
const come = (coming: Coming) => signInWith(system, coming);
const userOf = async (coming: Coming) => (await readSession((await come(coming)).browser))?.user;
const errorPage = (error: string) => `${system.url}/error?error=${error}`;

test("a disabled provider does not exist", async () => {
  const browser = createBrowserLike(system.url);
  expect(await readResponse(await browser.post("/sign-in/social", { provider: "off" }))).toEqual(
    errorResponse(404, "PROVIDER_NOT_FOUND", "Provider not found"),
  );
});

test("with implicit registration off, requestSignUp registers, in its own flow only", async () => {
  const profile = newProfile();
  const refused = await come({ provider: "quiet", profile });
  expect(refused.location).toBe(errorPage("signup_disabled"));
  const body = { requestSignUp: true };
  expect((await come({ provider: "quiet", profile, body })).location).toBe(system.origin);
  expect((await come({ provider: "quiet", profile })).location).toBe(system.origin);
});

describe("with an update of the user at each sign-in", () => {
  const provider = "overriding";

  test("name, image and address follow the provider, in existing sessions too", async () => {
    const profile = newProfile();
    const { browser } = await come({ provider, profile });
    const email = newEmail();
    const changed = { ...profile, name: "Renamed", picture: "https://example.com/b.png", email };
    await come({ provider, profile: changed });
    expect((await readSession(browser))?.user).toMatchObject({
      name: "Renamed",
      image: "https://example.com/b.png",
      email,
      emailVerified: true,
    });
  });

  test("another user's address is skipped, and the rest is written", async () => {
    const profile = newProfile();
    await come({ provider, profile });
    const bob = await signUp(system);
    const user = await userOf({ provider, profile: { ...profile, name: "New", email: bob.email } });
    expect(user).toMatchObject({ name: "New", email: profile.email });
    expect((await readSession(bob.browser))?.user.email).toBe(bob.email);
  });

  test("an unchanged address stays verified, and a new one is as verified as the provider claims", async () => {
    const profile = newProfile();
    await come({ provider, profile });
    const same = await userOf({ provider, profile: { ...profile, email_verified: false } });
    expect(same?.emailVerified).toBe(true);
    const other = { ...profile, email: newEmail(), email_verified: false };
    const changed = await userOf({ provider, profile: other });
    expect(changed).toMatchObject({ email: other.email, emailVerified: false });
  });

  test("an id token updates the user as well", async () => {
    const claims = newProfile();
    const send = async (changes: object) => {
      const token = await googleToken(oauth, { ...claims, ...changes });
      const body = { provider: "google", idToken: { token } };
      return createBrowserLike(system.url).post("/sign-in/social", body);
    };
    await send({});
    expect(await (await send({ name: "Renamed" })).json()).toMatchObject({
      user: { name: "Renamed" },
    });
  });
});

describe("the application's own functions", () => {
  test("a mapping sets fields and additional fields, but neither id nor role", async () => {
    const profile = newProfile({ plan: "pro" });
    const user = await userOf({ provider: "mapping", profile });
    expect(user).toMatchObject({ name: "Dr Ada", email: profile.email, plan: "pro", level: 7 });
    expect([user?.["role"], user?.id]).not.toContain("admin");
    expect(user?.id).not.toBe("chosen");
    const statement = "select account_id from identity.account where user_id = $1";
    expect(await rows.query(statement, user?.id)).toEqual([{ account_id: profile.sub }]);
  });

  test("a failing mapping fails the sign-in, and its error is not revealed", async () => {
    const { location, cookies } = await come({ provider: "failing", profile: newProfile() });
    expect(location).toBe(errorPage("unable_to_get_user_info"));
    expect(cookies).toHaveLength(1);
  });

  test("a profile function replaces the profile endpoint", async () => {
    const { browser } = await come({
      provider: "reading",
      profile: newProfile(),
      tokens: { scope: "a b" },
    });
    expect((await readSession(browser))?.user).toMatchObject({
      name: "Read",
      email: "read@example.com",
      plan: "own",
    });
    expect(received["getUserInfo"]).toMatchObject({ tokenType: "bearer", scopes: ["a", "b"] });
    expect(oauth.requests.map(({ endpoint }) => endpoint)).toEqual(["token"]);
    const accounts = await rows.query(
      "select account_id from identity.account where provider_id = 'reading'",
    );
    expect(accounts).toEqual([{ account_id: "42" }]);
  });

  test("a profile function without a result signs nobody in", async () => {
    const { location } = await come({ provider: "reader", profile: newProfile() });
    expect(location).toBe(errorPage("unable_to_get_user_info"));
  });

  test("an id token verifier decides, even for a provider without id tokens", async () => {
    const send = (token: string) =>
      createBrowserLike(system.url).post("/sign-in/social", {
        provider: "judging",
        idToken: { token, nonce: "n-1" },
      });
    expect(await readResponse(await send("short"))).toEqual(
      errorResponse(401, "INVALID_TOKEN", "invalid token"),
    );
    expect(await (await send("long enough to be good")).json()).toMatchObject({
      user: { email: "judged@example.com", name: "" },
    });
    expect(received["verifyIdToken"]).toBe("n-1");
  });
});
