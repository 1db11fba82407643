import { hashToken } from "@latchkey/crypto";
import { createSoftwareAuthenticator, expectNoLeaks, newCaller } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { identityConfig, openIdentityDatabase, seedSession } from "../db/test-identity.fixture.ts";
import {
  beginSignIn as beginWaitingSignIn,
  clock,
  secondFactorDeps,
  seedApp,
  seedPerson,
} from "../second-factor/test-second-factor.fixture.ts";
import {
  baseOptions,
  beginSignIn,
  codeOf,
  endSignIn,
  newBrowser,
  newPasskeyUser,
  origin,
  register,
  signedInAs,
  signInByPasskey,
  type TestBrowser,
} from "./passkey-user.fixture.ts";
import { verifyAuthentication } from "./sign-in.ts";

expectNoLeaks("file");

const { db } = await openIdentityDatabase();
const deps = secondFactorDeps(identityConfig(baseOptions), db);

const find = async (token: string) => (await deps.sessions.find(hashToken(token)))?.session;
const now = () => new Date(clock.now());
const countSessions = async (userId: string) =>
  (await deps.sessions.list(userId, now(), 100)).length;

/** A user whose second factor is an app, with a passkey of an authenticator that verifies its user or not. */
const newAppUser = async (verifiesUser: boolean, isSynced = false) => {
  const app = await seedApp(deps);
  const authenticator = createSoftwareAuthenticator({ origin, verifiesUser, isSynced });
  const person = { ...(await signedInAs(deps, app.caller)), authenticator };
  await register(deps, person);
  return person;
};

/** Returns the whole answer to a sign-in by passkey. */
const answerTo = async (
  browser: TestBrowser,
  authenticator: ReturnType<typeof createSoftwareAuthenticator>,
) => {
  const response = authenticator.get(await beginSignIn(deps, browser));
  const call = { params: undefined, query: undefined, session: undefined };
  return verifyAuthentication(deps, { ...call, caller: browser.caller, body: { response } });
};

describe("a sign-in by passkey", () => {
  test("shows the passkey, and the second factor only if the user was verified", async () => {
    for (const verifiesUser of [true, false]) {
      const authenticator = createSoftwareAuthenticator({ origin, verifiesUser });
      const person = await newPasskeyUser(deps, { authenticator });
      await register(deps, person);
      const { session } = await signInByPasskey(deps, newBrowser(), person);
      expect(await find(session.token)).toMatchObject({
        methods: "passkey",
        authenticatedAt: now(),
        secondFactorAt: verifiesUser ? now() : null,
      });
    }
  });

  test("lasts a week, or until the browser closes if that holds the marker", async () => {
    const person = await newPasskeyUser(deps);
    await register(deps, person);
    const lasting = await signInByPasskey(deps, newBrowser(), person);
    expect((await find(lasting.session.token))?.remembered).toBe(true);
    expect(lasting.session.expiresAt).toEqual(new Date(clock.now() + 604_800_000));
    const marked = newBrowser();
    marked.caller = { ...marked.caller, browserSession: true };
    const short = await signInByPasskey(deps, marked, person);
    expect((await find(short.session.token))?.remembered).toBe(false);
  });

  test("passes a second factor if the passkey has verified its user", async () => {
    const person = await newAppUser(true);
    const { session } = await signInByPasskey(deps, newBrowser(), person);
    expect(await find(session.token)).toMatchObject({ methods: "passkey", secondFactorAt: now() });
  });

  /** Attack: a stolen key without a PIN. */
  test("waits for the second factor if the passkey has not verified its user", async () => {
    const { user, authenticator } = await newAppUser(false);
    const before = await countSessions(user.id);
    const browser = newBrowser();
    expect(await answerTo(browser, authenticator)).toMatchObject({
      reply: { twoFactorRedirect: true, twoFactorMethods: ["totp"] },
      effect: { kind: "clear" },
    });
    expect(await countSessions(user.id)).toBe(before);
  });
});

describe("a sign-in that waits for its second factor", () => {
  const withWaiting = (browser: TestBrowser, twoFactor: string | undefined) => {
    const { kept: keptValues } = browser.caller;
    browser.caller = {
      ...browser.caller,
      kept: { ...keptValues, ...(twoFactor ? { twoFactor } : {}) },
    };
  };
  const complete = async (
    person: Awaited<ReturnType<typeof newAppUser>>,
    own: Parameters<typeof beginWaitingSignIn>[2] = {},
  ) => {
    const { caller } = await beginWaitingSignIn(deps, person.user.id, own);
    const browser = newBrowser();
    const options = await beginSignIn(deps, browser);
    withWaiting(browser, caller.kept.twoFactor);
    return { browser, response: person.authenticator.get(options) };
  };

  test("is completed by a passkey of the same user, and keeps what it remembers", async () => {
    const person = await newAppUser(false);
    const { browser, response } = await complete(person, { remember: false });
    const { session } = await endSignIn(deps, browser, response);
    expect(await find(session.token)).toMatchObject({
      methods: "password,passkey",
      secondFactorAt: now(),
      remembered: false,
    });
  });

  test("is not completed by a passkey of another user", async () => {
    const [mine, theirs] = [await newAppUser(false), await newAppUser(false)];
    const { caller } = await beginWaitingSignIn(deps, theirs.user.id);
    const browser = newBrowser();
    const options = await beginSignIn(deps, browser);
    withWaiting(browser, caller.kept.twoFactor);
    expect(await codeOf(endSignIn(deps, browser, mine.authenticator.get(options)))).toBe(
      "no session",
    );
  });

  /** Attack: the same unverified key twice is one factor, not two. */
  test("by a passkey is not completed by a passkey", async () => {
    const person = await newAppUser(false);
    const { browser, response } = await complete(person, { method: "passkey" });
    expect(await codeOf(endSignIn(deps, browser, response))).toBe("no session");
  });

  test("is completed by one of sixteen passkey responses", async () => {
    const person = await newAppUser(false, true);
    const before = await countSessions(person.user.id);
    const { caller } = await beginWaitingSignIn(deps, person.user.id);
    const tries = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const browser = newBrowser();
        const options = await beginSignIn(deps, browser);
        withWaiting(browser, caller.kept.twoFactor);
        return { browser, response: person.authenticator.get(options) };
      }),
    );
    const codes = await Promise.all(
      tries.map(({ browser, response }) => codeOf(endSignIn(deps, browser, response))),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(await countSessions(person.user.id)).toBe(before + 1);
  });
});

describe("a live session of the same user", () => {
  test("is replaced by a new token and keeps its expiry", async () => {
    const person = await newPasskeyUser(deps);
    await register(deps, person);
    clock.advance(90_000_000);
    const { session } = await signInByPasskey(deps, person.browser, person);
    expect(session.token).not.toBe(person.session.session.token);
    expect(session.expiresAt).toEqual(person.session.session.expiresAt);
    expect(await find(person.session.session.token)).toBeUndefined();
    expect(await find(session.token)).toMatchObject({
      methods: "password,passkey",
      authenticatedAt: now(),
      secondFactorAt: now(),
    });
    expect(await countSessions(person.user.id)).toBe(1);
  });

  test("keeps its second factor, unrenewed by a passkey that has not verified its user", async () => {
    const person = await newAppUser(false);
    const earlier = await find(person.session.session.token);
    clock.advance(60_000);
    const { session } = await signInByPasskey(deps, person.browser, person);
    expect(await find(session.token)).toMatchObject({
      authenticatedAt: now(),
      secondFactorAt: earlier?.secondFactorAt,
    });
  });

  test("of another user stays, and the browser gets a new one", async () => {
    const [mine, theirs] = [await newPasskeyUser(deps), await newPasskeyUser(deps)];
    await register(deps, mine);
    const browser = { caller: newCaller() };
    const options = await beginSignIn(deps, browser);
    const { sessionToken = "" } = theirs.browser.caller;
    browser.caller = { ...browser.caller, sessionToken };
    const { session } = await endSignIn(deps, browser, mine.authenticator.get(options));
    expect(session.userId).toBe(mine.user.id);
    expect(await find(sessionToken)).toBeDefined();
    expect(await find(mine.session.session.token)).toBeDefined();
  });

  /** Attack: an impersonation that is renewed would outlast its hour. */
  test("is not renewed if it is an impersonation", async () => {
    const person = await newPasskeyUser(deps);
    await register(deps, person);
    const impersonation = { adminId: "admin", seconds: 3600 };
    const start = { caller: newCaller(), remember: false, impersonation };
    const { token } = await seedSession(deps, person.user, start);
    const browser = { caller: { ...newCaller(), sessionToken: token } };
    const { session } = await signInByPasskey(deps, browser, person);
    expect(await find(session.token)).toMatchObject({ impersonatedBy: null, methods: "passkey" });
    expect(await find(token)).toBeDefined();
  });
});

describe("the options of a sign-in name the credentials", () => {
  test("of the signed-in user alone", async () => {
    const person = await newPasskeyUser(deps);
    const { credentialID: id } = await register(deps, person);
    expect((await beginSignIn(deps, person.browser)).allowCredentials).toMatchObject([{ id }]);
    expect(await beginSignIn(deps, newBrowser())).not.toHaveProperty("allowCredentials");
  });

  test("in no impersonation and in no session of an API key", async () => {
    const person = await seedPerson(deps);
    const { user } = await signedInAs(deps, person.caller);
    const impersonation = { adminId: "admin", seconds: 3600 };
    const start = { caller: newCaller(), remember: false, impersonation };
    const { token } = await seedSession(deps, user, start);
    for (const own of [{ sessionToken: token }, { ...person.caller, apiKeyId: "key" }]) {
      const options = await beginSignIn(deps, { caller: { ...newCaller(), ...own } });
      expect(options).not.toHaveProperty("allowCredentials");
    }
  });
});
