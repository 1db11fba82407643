import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { signCookie } from "../harness/raw-sessions.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  type BegunSignIn,
  callCallback,
  reachable,
  readRedirect,
  type RedirectResponse,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, password, readSession, signUp } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";

expectNoLeaks("file");

const callers = 16;
let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

const startWith = (storeStateStrategy: "database" | "cookie", skipStateCookieCheck = false) =>
  startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { storeStateStrategy, skipStateCookieCheck },
      anonymous: { enabled: true },
      socialProviders: { plain: testProvider(oauth), other: testProvider(oauth) },
    },
  });

const newCode = () => codeFor({ sub: newEmail(), email: newEmail(), email_verified: true });

const finish = (begun: BegunSignIn, provider = "plain") =>
  callCallback(begun, provider, { state: begun.state, code: newCode() });

const start = (system: System, browser = createBrowserLike(system.url)) =>
  beginSignIn(browser, {
    provider: "plain",
    callbackURL: "/in",
    errorCallbackURL: "/oops",
  });

const isRefused = (system: System, { status, location, cookies }: RedirectResponse) => {
  expect([status, location]).toEqual([302, `${system.url}/error?error=please_restart_the_process`]);
  expect(cookies.filter((cookie) => cookie.startsWith("auth.session_token="))).toEqual([]);
};

describe.each(["database", "cookie"] as const)("a state kept by %s", (strategy) => {
  let system: System;
  let rows: Rows;
  beforeAll(async () => {
    system = await startWith(strategy);
    rows = openRows(system);
  });
  afterAll(async () => {
    await rows.close();
    await system.stop();
  });
  const countSessions = async () => (await rows.query("select 1 from identity.session")).length;

  test("works once, with its cookie kept or not", async () => {
    const begun = await start(system);
    const cookie = begun.browser.cookies.get("auth.state") ?? "";
    expect((await finish(begun)).location).toBe("/in");
    isRefused(system, await finish(begun));
    begun.browser.cookies.set("auth.state", cookie);
    isRefused(system, await finish(begun));
  });

  test("is used up by a failing callback", async () => {
    const begun = await start(system);
    const cookie = begun.browser.cookies.get("auth.state") ?? "";
    const failed = await callCallback(begun, "plain", { state: begun.state });
    expect(failed.location).toBe("/oops?error=no_code");
    begun.browser.cookies.set("auth.state", cookie);
    isRefused(system, await finish(begun));
  });

  matrixTest("signs in one of 16 concurrent callbacks", async () => {
    const begun = await start(system);
    const before = await countSessions();
    const answers = await Promise.all(Array.from({ length: callers }, () => finish(begun)));
    expect(answers.filter(({ location }) => location === "/in")).toHaveLength(1);
    for (const answer of answers.filter(({ location }) => location !== "/in"))
      isRefused(system, answer);
    expect(await countSessions()).toBe(before + 1);
  });

  /** Login CSRF: an attacker makes another browser finish the attacker's flow, and so sign in as the attacker. */
  test("is refused in another browser, and stays valid in its own", async () => {
    const begun = await start(system);
    const { browser: other } = await start(system);
    const bare = createBrowserLike(system.url);
    isRefused(system, await finish({ ...begun, browser: other }));
    isRefused(system, await finish({ ...begun, browser: bare }));
    expect(await readSession(other)).toBeNull();
    expect((await finish(begun)).location).toBe("/in");
  });

  test("cannot be set in a browser without the signing secret", async () => {
    const begun = await start(system);
    const cookie = decodeURIComponent(begun.browser.cookies.get("auth.state") ?? "");
    const unsigned = cookie.slice(0, cookie.lastIndexOf("."));
    for (const value of [
      begun.state,
      unsigned,
      `${unsigned}.`,
      signCookie(unsigned, "another secret"),
    ]) {
      const bare = createBrowserLike(system.url);
      bare.cookies.set("auth.state", value);
      isRefused(system, await finish({ ...begun, browser: bare }));
    }
  });

  test("is replaced by the next flow of the same browser", async () => {
    const first = await start(system);
    const second = await beginSignIn(first.browser, { provider: "plain", callbackURL: "/second" });
    isRefused(system, await finish(first));
    expect((await finish(second)).location).toBe("/second");
  });

  /** Mix-up attack: the attacker's provider gets the code of an honest one. */
  test("works at its own provider only, and ends at another one", async () => {
    const begun = await start(system);
    oauth.requests.length = 0;
    isRefused(system, await finish(begun, "other"));
    expect(oauth.requests).toEqual([]);
    isRefused(system, await finish(begun));
  });

  test("is neither a token of a mail nor an arbitrary name", async () => {
    const { email } = await signUp(system);
    await createBrowserLike(system.url).post("/request-password-reset", { email });
    const resets = await rows.query("select identifier from identity.verification");
    const names = resets.map(({ identifier }) => String(identifier));
    expect(names.some((name) => name.startsWith("reset-password:"))).toBe(true);
    for (const state of [...names, "reset-password:", "", "%00", "'", "a".repeat(513)]) {
      const browser = createBrowserLike(system.url);
      browser.cookies.set("auth.state", signCookie(state));
      const query = new URLSearchParams({ state, code: newCode() }).toString();
      const { status, location } = await readRedirect(browser.get(`/callback/plain?${query}`));
      expect([302, 400]).toContain(status);
      expect(location).toMatch(/^$|\?error=(please_restart_the_process|state_not_found)$/);
    }
    const remaining = await rows.query(
      "select identifier from identity.verification where identifier like 'reset-password:%'",
    );
    expect(remaining).toHaveLength(
      names.filter((name) => name.startsWith("reset-password:")).length,
    );
  });

  test("can hold callback URLs of any valid length", async () => {
    const long = (word: string) => `/${word}${"x".repeat(2_000)}`;
    const begun = await beginSignIn(createBrowserLike(system.url), {
      provider: "plain",
      callbackURL: long("in"),
      newUserCallbackURL: long("new"),
      errorCallbackURL: long("oops"),
    });
    expect((await finish(begun)).location).toBe(long("new"));
  });
});

describe("a state stored as a row", () => {
  let system: System;
  let rows: Rows;
  beforeAll(async () => {
    system = await startWith("database", true);
    rows = openRows(system);
  });
  afterAll(async () => {
    await rows.close();
    await system.stop();
  });

  test("expires with the row", async () => {
    const begun = await start(system);
    await rows.query("update identity.verification set expires_at = now()");
    isRefused(system, await finish(begun));
  });

  test("with the cookie check off works for a client without cookies", async () => {
    const begun = await start(system);
    const bare = createBrowserLike(system.url);
    expect((await finish({ ...begun, browser: bare })).location).toBe("/in");
    expect(await readSession(bare)).not.toBeNull();
  });

  test("with the cookie check off is still refused with the cookie of another flow", async () => {
    const [begun, other] = [await start(system), await start(system)];
    isRefused(system, await finish({ ...begun, browser: other.browser }));
    expect((await finish(begun)).location).toBe("/in");
  });

  const newGuest = async () => {
    const browser = createBrowserLike(system.url);
    await browser.post("/sign-in/anonymous");
    return { browser, id: (await readSession(browser))?.user.id };
  };

  /** Attack: a guest is led to the callback of the attacker's own sign-in, and would be handed over to the attacker. */
  test("with the cookie check off hands over the guest who began it, and no other", async () => {
    const [ada, mallory] = [await newGuest(), await newGuest()];
    const begun = await start(system, mallory.browser);
    ada.browser.cookies.delete("auth.state");
    const token = ada.browser.cookies.get("auth.session_token") ?? "";
    await finish({ ...begun, browser: ada.browser });
    expect((await readSession(ada.browser))?.user.id).toBe(mallory.id);
    ada.browser.cookies.set("auth.session_token", token);
    expect((await readSession(ada.browser))?.user.id).toBe(ada.id);
  });

  test("with the cookie check off accepts a POST at once, and keeps the guest's id", async () => {
    const guest = await newGuest();
    const begun = await start(system, guest.browser);
    const { location, cookies } = await readRedirect(
      fetch(`${system.url}/callback/plain`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ state: begun.state, code: newCode() }),
      }),
    );
    expect(location).toBe("/in");
    expect(cookies[0]).toMatch(/^auth\.session_token=/);
    const identified = await rows.query(
      "select 1 from identity.audit where action = 'user.identified' and subject_id = $1",
      guest.id,
    );
    expect(identified).toHaveLength(1);
  });
});

describe.each(matrix("postgres", "redis"))("a pending linking, with sessions in %s", (stores) => {
  const { system, rows } = useSystem(() => ({
    stores,
    config: {
      advanced: reachable,
      user: { deleteUser: { enabled: true, confirmByMail: false } },
      account: { accountLinking: { allowDifferentEmails: true } },
      socialProviders: { plain: testProvider(oauth) },
    },
  }));

  const startLink = async () => {
    const ada = await signUp(system);
    const body = { provider: "plain", callbackURL: "/in", errorCallbackURL: "/oops" };
    return { ada, begun: await beginSignIn(ada.browser, body, "/link-social") };
  };
  const isNotLinked = async (userId: string) => {
    const statement = "select 1 from identity.account where user_id = $1 and provider_id = 'plain'";
    expect(await rows.query(statement, userId)).toEqual([]);
  };

  test("is refused once the user is deleted", async () => {
    const { ada, begun } = await startLink();
    const { status } = await ada.browser.post("/delete-user", { password });
    expect(status).toBe(200);
    isRefused(system, await finish(begun));
    await isNotLinked(ada.user.id);
  });

  /** A person whose session was revoked must not return by an account that they link at the last moment. */
  test("is refused once the session that began it has ended, even without its cookie", async () => {
    const { ada, begun } = await startLink();
    begun.browser.cookies.delete("auth.session_token");
    const elsewhere = createBrowserLike(system.url);
    await elsewhere.post("/sign-in/email", { email: ada.email, password });
    expect((await elsewhere.post("/revoke-other-sessions")).status).toBe(200);
    expect((await finish(begun)).location).toBe("/oops?error=unable_to_link_account");
    await isNotLinked(ada.user.id);
  });

  /** Forced linking: an attacker makes the victim's browser finish a linking, or the reverse. */
  test("is refused in a browser where another user is signed in by now", async () => {
    const { ada, begun } = await startLink();
    const bob = await signUp(system);
    const state = begun.browser.cookies.get("auth.state") ?? "";
    bob.browser.cookies.set("auth.state", state);
    const { location } = await finish({ ...begun, browser: bob.browser });
    expect(location).toBe("/oops?error=unable_to_link_account");
    await isNotLinked(ada.user.id);
    await isNotLinked(bob.user.id);
  });
});
