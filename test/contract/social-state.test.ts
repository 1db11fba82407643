import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { codeFor, type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { type Stack, startStack } from "../stack.ts";
import { matrix } from "../matrix.ts";
import { newEmail, openRows, password, type Rows, signUp } from "./identity-people.ts";
import {
  atTest,
  begin,
  type Begun,
  comeBack,
  reachable,
  redirected,
  type Redirected,
  whoIs,
} from "./social-flow.ts";
import { signed } from "./two-people.ts";

expectNoLeaks("file");

const callers = 16;
let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

const startWith = (storeStateStrategy: "database" | "cookie", skipStateCookieCheck = false) =>
  startStack({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { storeStateStrategy, skipStateCookieCheck },
      socialProviders: { plain: atTest(oauth), other: atTest(oauth) },
    },
  });

const newCode = () => codeFor({ sub: newEmail(), email: newEmail(), email_verified: true });

const finish = (begun: Begun, provider = "plain") =>
  comeBack(begun, provider, { state: begun.state, code: newCode() });

const start = (stack: Stack) =>
  begin(createBrowserLike(stack.url), {
    provider: "plain",
    callbackURL: "/in",
    errorCallbackURL: "/oops",
  });

const isRefused = (stack: Stack, { status, location, cookies }: Redirected) => {
  expect([status, location]).toEqual([302, `${stack.url}/error?error=please_restart_the_process`]);
  expect(cookies.filter((cookie) => cookie.startsWith("auth.session_token="))).toEqual([]);
};

describe.each(["database", "cookie"] as const)("a state kept by %s", (strategy) => {
  let stack: Stack;
  let rows: Rows;
  beforeAll(async () => {
    stack = await startWith(strategy);
    rows = openRows(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });
  const countSessions = async () => (await rows.ask("select 1 from identity.session")).length;

  test("works once, with its cookie kept or not", async () => {
    const begun = await start(stack);
    const cookie = begun.browser.cookies.get("auth.state") ?? "";
    expect((await finish(begun)).location).toBe("/in");
    isRefused(stack, await finish(begun));
    begun.browser.cookies.set("auth.state", cookie);
    isRefused(stack, await finish(begun));
  });

  test("is used up by a failing callback", async () => {
    const begun = await start(stack);
    const cookie = begun.browser.cookies.get("auth.state") ?? "";
    const failed = await comeBack(begun, "plain", { state: begun.state });
    expect(failed.location).toBe("/oops?error=no_code");
    begun.browser.cookies.set("auth.state", cookie);
    isRefused(stack, await finish(begun));
  });

  test("signs in one of 16 concurrent callbacks", async () => {
    const begun = await start(stack);
    const before = await countSessions();
    const answers = await Promise.all(Array.from({ length: callers }, () => finish(begun)));
    expect(answers.filter(({ location }) => location === "/in")).toHaveLength(1);
    for (const answer of answers.filter(({ location }) => location !== "/in"))
      isRefused(stack, answer);
    expect(await countSessions()).toBe(before + 1);
  });

  /** Login CSRF: an attacker makes another browser finish the attacker's flow, and so sign in as the attacker. */
  test("is refused in another browser, and stays valid in its own", async () => {
    const begun = await start(stack);
    const { browser: other } = await start(stack);
    const bare = createBrowserLike(stack.url);
    isRefused(stack, await finish({ ...begun, browser: other }));
    isRefused(stack, await finish({ ...begun, browser: bare }));
    expect(await whoIs(other)).toBeNull();
    expect((await finish(begun)).location).toBe("/in");
  });

  test("cannot be set in a browser without the signing secret", async () => {
    const begun = await start(stack);
    const cookie = decodeURIComponent(begun.browser.cookies.get("auth.state") ?? "");
    const unsigned = cookie.slice(0, cookie.lastIndexOf("."));
    for (const value of [
      begun.state,
      unsigned,
      `${unsigned}.`,
      signed(unsigned, "another secret"),
    ]) {
      const bare = createBrowserLike(stack.url);
      bare.cookies.set("auth.state", value);
      isRefused(stack, await finish({ ...begun, browser: bare }));
    }
  });

  test("is replaced by the next flow of the same browser", async () => {
    const first = await start(stack);
    const second = await begin(first.browser, { provider: "plain", callbackURL: "/second" });
    isRefused(stack, await finish(first));
    expect((await finish(second)).location).toBe("/second");
  });

  /** Mix-up attack: the attacker's provider gets the code of an honest one. */
  test("works at its own provider only, and ends at another one", async () => {
    const begun = await start(stack);
    oauth.asked.length = 0;
    isRefused(stack, await finish(begun, "other"));
    expect(oauth.asked).toEqual([]);
    isRefused(stack, await finish(begun));
  });

  test("is neither a token of a mail nor an arbitrary name", async () => {
    const { email } = await signUp(stack);
    await createBrowserLike(stack.url).post("/request-password-reset", { email });
    const resets = await rows.ask("select identifier from identity.verification");
    const names = resets.map(({ identifier }) => String(identifier));
    expect(names.some((name) => name.startsWith("reset-password:"))).toBe(true);
    for (const state of [...names, "reset-password:", "", "%00", "'", "a".repeat(513)]) {
      const browser = createBrowserLike(stack.url);
      browser.cookies.set("auth.state", signed(state));
      const query = new URLSearchParams({ state, code: newCode() }).toString();
      const { status, location } = await redirected(browser.get(`/callback/plain?${query}`));
      expect([302, 400]).toContain(status);
      expect(location).toMatch(/^$|\?error=(please_restart_the_process|state_not_found)$/);
    }
    const left = await rows.ask(
      "select identifier from identity.verification where identifier like 'reset-password:%'",
    );
    expect(left).toHaveLength(names.filter((name) => name.startsWith("reset-password:")).length);
  });

  test("can hold callback URLs of any valid length", async () => {
    const long = (word: string) => `/${word}${"x".repeat(2_000)}`;
    const begun = await begin(createBrowserLike(stack.url), {
      provider: "plain",
      callbackURL: long("in"),
      newUserCallbackURL: long("new"),
      errorCallbackURL: long("oops"),
    });
    expect((await finish(begun)).location).toBe(long("new"));
  });
});

describe("a state stored as a row", () => {
  let stack: Stack;
  let rows: Rows;
  beforeAll(async () => {
    stack = await startWith("database", true);
    rows = openRows(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });

  test("expires with the row", async () => {
    const begun = await start(stack);
    await rows.ask("update identity.verification set expires_at = now()");
    isRefused(stack, await finish(begun));
  });

  test("with the cookie check off works for a client without cookies", async () => {
    const begun = await start(stack);
    const bare = createBrowserLike(stack.url);
    expect((await finish({ ...begun, browser: bare })).location).toBe("/in");
    expect(await whoIs(bare)).not.toBeNull();
  });

  test("with the cookie check off is still refused with the cookie of another flow", async () => {
    const [begun, other] = [await start(stack), await start(stack)];
    isRefused(stack, await finish({ ...begun, browser: other.browser }));
    expect((await finish(begun)).location).toBe("/in");
  });

  test("with the cookie check off accepts a POST at once", async () => {
    const begun = await start(stack);
    const { location, cookies } = await redirected(
      fetch(`${stack.url}/callback/plain`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ state: begun.state, code: newCode() }),
      }),
    );
    expect(location).toBe("/in");
    expect(cookies[0]).toMatch(/^auth\.session_token=/);
  });
});

describe.each(matrix("postgres", "redis"))("a pending linking, with sessions in %s", (stores) => {
  let stack: Stack;
  let rows: Rows;
  beforeAll(async () => {
    stack = await startStack({
      stores,
      config: {
        advanced: reachable,
        user: { deleteUser: { enabled: true, confirmByMail: false } },
        account: { accountLinking: { allowDifferentEmails: true } },
        socialProviders: { plain: atTest(oauth) },
      },
    });
    rows = openRows(stack);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });

  const startLink = async () => {
    const ada = await signUp(stack);
    const body = { provider: "plain", callbackURL: "/in", errorCallbackURL: "/oops" };
    return { ada, begun: await begin(ada.browser, body, "/link-social") };
  };
  const isNotLinked = async (userId: string) => {
    const ask = "select 1 from identity.account where user_id = $1 and provider_id = 'plain'";
    expect(await rows.ask(ask, userId)).toEqual([]);
  };

  test("is refused once the user is deleted", async () => {
    const { ada, begun } = await startLink();
    const { status } = await ada.browser.post("/delete-user", { password });
    expect(status).toBe(200);
    isRefused(stack, await finish(begun));
    await isNotLinked(ada.user.id);
  });

  /** A person whose session was revoked must not return by an account that they link at the last moment. */
  test("is refused once the session that began it has ended, even without its cookie", async () => {
    const { ada, begun } = await startLink();
    begun.browser.cookies.delete("auth.session_token");
    const elsewhere = createBrowserLike(stack.url);
    await elsewhere.post("/sign-in/email", { email: ada.email, password });
    expect((await elsewhere.post("/revoke-other-sessions")).status).toBe(200);
    expect((await finish(begun)).location).toBe("/oops?error=unable_to_link_account");
    await isNotLinked(ada.user.id);
  });

  /** Forced linking: an attacker makes the victim's browser finish a linking, or the reverse. */
  test("is refused in a browser where another user is signed in by now", async () => {
    const { ada, begun } = await startLink();
    const bob = await signUp(stack);
    const state = begun.browser.cookies.get("auth.state") ?? "";
    bob.browser.cookies.set("auth.state", state);
    const { location } = await finish({ ...begun, browser: bob.browser });
    expect(location).toBe("/oops?error=unable_to_link_account");
    await isNotLinked(ada.user.id);
    await isNotLinked(bob.user.id);
  });
});
