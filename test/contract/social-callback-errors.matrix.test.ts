import { type LatchkeyConfig, WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  closeConnection,
  codeFor,
  type Endpoint,
  type OAuthProvider,
  type Respond,
  respondWith,
  respondWithText,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  callCallback,
  clearedStateCookie,
  linkWith,
  newProfile,
  reachable,
  type RedirectResponse,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { signUp } from "../harness/users.ts";

expectNoLeaks("file");

type DatabaseHooks = NonNullable<LatchkeyConfig["databaseHooks"]>;
type Model = "user" | "account" | "session" | "verification";

/** The application's hooks before a row is created, by model. Reset after each test. */
let hooked: Partial<Record<Model, () => unknown>> = {};
const hookOf = (model: Model) => ({ create: { before: () => hooked[model]?.() as undefined } });

let oauth: OAuthProvider;
let system: System;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const { jwks: _, ...endpoints } = oauth.endpoints;
  system = await startSystem({
    stores: "postgres",
    config: {
      logger: { disabled: true },
      advanced: reachable,
      databaseHooks: {
        user: hookOf("user"),
        account: hookOf("account"),
        session: hookOf("session"),
        verification: hookOf("verification"),
      } satisfies DatabaseHooks,
      socialProviders: {
        plain: testProvider(oauth),
        issued: testProvider(oauth, { endpoints, issuer: oauth.url }),
        closed: testProvider(oauth, { disableSignUp: true }),
        strict: testProvider(oauth, { requireEmailVerification: true }),
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

afterEach(() => {
  hooked = {};
  oauth.reset();
});

/** The client's own error page, with a query. */
const errorCallbackURL = "/oops?x=1";

const browserOf = () => createBrowserLike(system.url);
type Given = Partial<Parameters<typeof signInWith>[1]>;

/** Calls the callback of a flow that began with an error page. */
const come = (own: Given = {}): Promise<RedirectResponse> =>
  signInWith(system, { profile: newProfile(), body: { errorCallbackURL }, ...own });

/** The same with the given parameters and the state. */
const comeWith = async (parameters: Record<string, string>, provider = "plain") => {
  const begun = await beginSignIn(browserOf(), { provider, errorCallbackURL });
  return callCallback(begun, provider, { state: begun.state, ...parameters });
};

/** The same while the provider answers differently. */
const comeWhile = (endpoint: Endpoint, respond: Respond, own?: Given) => {
  oauth.responses[endpoint] = respond;
  return come(own);
};

/** The same with a hook of the application. */
const comeHooked = (model: Model, hook: () => unknown, own?: Given) => {
  hooked = { [model]: hook };
  return come(own);
};
const veto = () => false;
const failWith = (error: Error) => () => {
  throw error;
};

/** Completes a linking that began with an error page. */
const link = async (profile: object, browser?: BrowserLike) =>
  linkWith({
    browser: browser ?? (await signUp(system)).browser,
    profile,
    body: { errorCallbackURL },
  });

/** Signs a user in with the provider and returns the profile. */
const registered = async () => {
  const profile = newProfile();
  await signInWith(system, { profile });
  return profile;
};

/** Returns the address of a user with a password, verified or not. */
const addressOf = async (isProven: boolean) => {
  const { email, user } = await signUp(system);
  const statement = "update identity.user set email_verified = $2 where id = $1";
  await rows.query(statement, user.id, isProven);
  return email;
};

const ofFlow: [code: string, when: string, act: () => Promise<RedirectResponse>][] = [
  ["no_code", "no code comes", () => comeWith({})],
  ["no_code", "an empty code comes", () => comeWith({ code: "" })],
  [
    "invalid_code",
    "the code is refused",
    () => comeWhile("token", respondWith({ error: "x" }, 400)),
  ],
  [
    "invalid_code",
    "a refusal comes as a success",
    () => comeWhile("token", respondWith({ error: "x" })),
  ],
  ["invalid_code", "the provider cannot be reached", () => comeWhile("token", closeConnection)],
  [
    "unable_to_get_user_info",
    "the provider returns no profile",
    () => comeWhile("userInfo", respondWithText("no", 401)),
  ],
  [
    "unable_to_get_user_info",
    "the provider returns a profile without an id",
    () => come({ profile: newProfile({ sub: undefined }) }),
  ],
  ["email_not_found", "there is no address", () => come({ profile: { sub: "1", name: "Ada" } })],
  [
    "email_not_found",
    "what stands for an address is none",
    () => come({ profile: newProfile({ email: "ada" }) }),
  ],
  ["signup_disabled", "nobody is registered", () => come({ provider: "closed" })],
  [
    "account_not_linked",
    "the address exists and is not verified by the provider",
    async () =>
      come({ profile: newProfile({ email: await addressOf(true), email_verified: false }) }),
  ],
  [
    "account_not_linked",
    "the address exists and is not verified here",
    async () => come({ profile: newProfile({ email: await addressOf(false) }) }),
  ],
  ["unable_to_create_user", "a hook vetoes the user", () => comeHooked("user", veto)],
  ["unable_to_create_user", "a hook vetoes the account", () => comeHooked("account", veto)],
  [
    "unable_to_link_account",
    "a hook vetoes the account of an existing user",
    async () =>
      comeHooked("account", veto, { profile: newProfile({ email: await addressOf(true) }) }),
  ],
  ["unable_to_create_session", "a hook vetoes the session", () => comeHooked("session", veto)],
  [
    "unable_to_create_session",
    "the account is unlinked while the session starts",
    async () => {
      const profile = await registered();
      const unlink = "delete from identity.account where account_id = $1";
      return comeHooked("session", async () => void (await rows.query(unlink, profile.sub)), {
        profile,
      });
    },
  ],
  [
    "No_Go_here",
    "a hook refuses with its own error",
    () => comeHooked("user", failWith(new WireError("FORBIDDEN", { message: "No Go here" }))),
  ],
  [
    "email_not_verified",
    "the provider is to bring proven addresses alone",
    () => come({ provider: "strict", profile: newProfile({ email_verified: false }) }),
  ],
  [
    "issuer_mismatch",
    "another provider names itself",
    () => comeWith({ code: codeFor(newProfile()), iss: "https://evil.example" }, "issued"),
  ],
  [
    "unable_to_link_account",
    "what is to be linked has an unproven address",
    async () => {
      const { browser, email } = await signUp(system);
      return link(newProfile({ email, email_verified: false }), browser);
    },
  ],
  ["unable_to_link_account", "it has another address", () => link(newProfile())],
  [
    "account_already_linked_to_different_user",
    "it belongs to another user",
    async () => {
      const profile = await registered();
      const { browser, email } = await signUp(system);
      return link({ ...profile, email }, browser);
    },
  ],
];

test.each(ofFlow)("the client's own page gets %s if %s", async (code, _, act) => {
  const { status, location, text, cookies, headers } = await act();
  expect({ status, location, text }).toEqual({
    status: 302,
    location: `${errorCallbackURL}&error=${code}`,
    text: "",
  });
  expect(cookies).toEqual([clearedStateCookie]);
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a veto of the state by the application's hook is reported at the start", async () => {
  hooked = { verification: veto };
  const answer = await readResponse(
    await browserOf().post("/sign-in/social", { provider: "plain" }),
  );
  expect(answer).toEqual({
    status: 500,
    body: { code: "UNABLE_TO_CREATE_VERIFICATION", message: "Unable to create verification" },
    cookies: [],
  });
});

test("a failed sign-in registers nobody", async () => {
  const profile = newProfile();
  for (const model of ["user", "account"] as const) await comeHooked(model, veto, { profile });
  oauth.responses.userInfo = respondWith({}, 500);
  await come({ profile });
  const users = await rows.query("select 1 from identity.user where email = $1", profile.email);
  expect(users).toEqual([]);
});
