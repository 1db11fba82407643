import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import {
  beginSignIn,
  callCallback,
  linkWith,
  newProfile,
  reachable,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { newEmail, readSession, signUp } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const callers = 16;
let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem(() => ({
    stores,
    config: {
      advanced: reachable,
      user: { deleteUser: { enabled: true, confirmByMail: false } },
      socialProviders: { plain: testProvider(oauth), other: testProvider(oauth) },
    },
  }));

  const usersOf = (email: string) =>
    rows.query("select id from identity.user where email = $1", email);
  const accountsOf = (accountId: string) =>
    rows.query(
      "select provider_id, user_id from identity.account where account_id = $1",
      accountId,
    );

  /** Begins all flows first, so that all callbacks run concurrently. */
  const comeAtOnce = async (profile: object, providers: string[], email?: string) => {
    const begun = await Promise.all(
      providers.map((provider) => beginSignIn(createBrowserLike(system.url), { provider })),
    );
    return Promise.all(
      begun.map((one, index) => {
        const own = email === undefined ? {} : { sub: `${email}-${index}` };
        const code = codeFor({ ...profile, ...own });
        return callCallback(one, providers[index] ?? "", { state: one.state, code });
      }),
    ).then((answers) =>
      answers.map(({ location }, index) => ({ location, browser: begun[index]!.browser })),
    );
  };

  test("16 concurrent first sign-ins with one account create one user with one account", async () => {
    const profile = newProfile();
    const answers = await comeAtOnce(profile, Array<string>(callers).fill("plain"));
    expect(new Set(answers.map(({ location }) => location))).toEqual(new Set([system.origin]));
    const users = await usersOf(profile.email);
    expect(users).toHaveLength(1);
    expect(await accountsOf(profile.sub)).toEqual([
      { provider_id: "plain", user_id: users[0]?.["id"] },
    ]);
    for (const { browser } of answers)
      expect((await readSession(browser))?.user.id).toBe(users[0]?.["id"]);
  });

  test("two concurrent providers with one address create one user", async () => {
    for (let round = 0; round < 5; round += 1) {
      const profile = newProfile();
      const answers = await comeAtOnce(profile, ["plain", "other"]);
      expect(answers.map(({ location }) => location)).toEqual([system.origin, system.origin]);
      expect(await usersOf(profile.email)).toHaveLength(1);
      expect(await accountsOf(profile.sub)).toHaveLength(2);
    }
  });

  matrixTest("16 concurrent accounts with one address create one user", async () => {
    const profile = newProfile();
    const plain = Array<string>(callers).fill("plain");
    const answers = await comeAtOnce(profile, plain, profile.email);
    const done = answers.filter(({ location }) => location === system.origin);
    expect(done).toHaveLength(callers);
    const [user, ...others] = await usersOf(profile.email);
    expect(others).toEqual([]);
    const accounts = await rows.query(
      "select 1 from identity.account where user_id = $1",
      user?.["id"],
    );
    expect(accounts).toHaveLength(callers);
  });

  test("one of 16 users who link one account concurrently gets it", async () => {
    const people = await Promise.all(Array.from({ length: callers }, () => signUp(system)));
    const sub = newEmail();
    const answers = await Promise.all(
      people.map((one) =>
        linkWith({ ...one, profile: { sub, email: one.email, email_verified: true } }),
      ),
    );
    const [linked, refused] = [
      system.origin,
      `${system.url}/error?error=account_already_linked_to_different_user`,
    ];
    expect(answers.map(({ location }) => location).sort()).toEqual(
      [linked, ...Array<string>(callers - 1).fill(refused)].sort(),
    );
    expect(await accountsOf(sub)).toHaveLength(1);
  });

  test("a concurrent linking and unlinking leave the account linked or not, and the user with a sign-in method", async () => {
    for (let round = 0; round < 5; round += 1) {
      const profile = newProfile();
      const { browser } = await signInWith(system, { profile });
      await linkWith({ browser, provider: "other", profile });
      const [linked, unlinked] = await Promise.all([
        linkWith({ browser, provider: "other", profile }),
        browser.post("/unlink-account", { providerId: "other" }),
      ]);
      expect([system.origin, `${system.url}/error?error=unable_to_link_account`]).toContain(
        linked.location,
      );
      expect(unlinked.status).toBe(200);
      const providers = (await accountsOf(profile.sub)).map(({ provider_id: id }) => id);
      expect(providers).toContain("plain");
    }
  });

  const linkingsOf = (userId: string) =>
    rows.query(
      "select 1 from identity.audit where action = 'account.linked' and subject_id = $1",
      userId,
    );
  const plainLinking = (browser: BrowserLike) =>
    beginSignIn(browser, { provider: "plain" }, "/link-social");

  matrixTest("one of 16 concurrent callbacks of one linking links", async () => {
    const { browser, email, user } = await signUp(system);
    const profile = newProfile({ email });
    const begun = await plainLinking(browser);
    const back = { state: begun.state, code: codeFor(profile) };
    const answers = await Promise.all(
      Array.from({ length: callers }, () => callCallback(begun, "plain", back)),
    );
    const restart = `${system.url}/error?error=please_restart_the_process`;
    expect(answers.map(({ location }) => location).sort()).toEqual(
      [system.origin, ...Array<string>(callers - 1).fill(restart)].sort(),
    );
    expect(await accountsOf(profile.sub)).toHaveLength(1);
    expect(await linkingsOf(user.id)).toHaveLength(1);
  });

  matrixTest(
    "16 concurrent linkings of one account by one user succeed, and one is written",
    async () => {
      const { browser, email, user } = await signUp(system);
      const profile = newProfile({ email });
      const begun = await Promise.all(
        Array.from({ length: callers }, () => {
          const own = createBrowserLike(system.url);
          for (const [name, value] of browser.cookies) own.cookies.set(name, value);
          return plainLinking(own);
        }),
      );
      const answers = await Promise.all(
        begun.map((one) =>
          callCallback(one, "plain", { state: one.state, code: codeFor(profile) }),
        ),
      );
      expect(new Set(answers.map(({ location }) => location))).toEqual(new Set([system.origin]));
      expect(await accountsOf(profile.sub)).toEqual([{ provider_id: "plain", user_id: user.id }]);
      expect(await linkingsOf(user.id)).toHaveLength(1);
    },
  );

  test("a sign-in and a concurrent unlinking of its account keep one user, and neither fails", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { browser, email, user } = await signUp(system);
      await verifyAddress(rows, user.id);
      const profile = newProfile({ email });
      await linkWith({ browser, profile });
      const begun = await beginSignIn(createBrowserLike(system.url), { provider: "plain" });
      const [back, unlinked] = await Promise.all([
        callCallback(begun, "plain", { state: begun.state, code: codeFor(profile) }),
        browser.post("/unlink-account", { providerId: "plain" }),
      ]);
      expect(unlinked.status).toBe(200);
      expect([
        system.origin,
        `${system.url}/error?error=unable_to_link_account`,
        `${system.url}/error?error=unable_to_create_session`,
      ]).toContain(back.location);
      const isIn = back.location === system.origin;
      expect((await readSession(begun.browser))?.user.id).toBe(isIn ? user.id : undefined);
      expect(await usersOf(email)).toEqual([{ id: user.id }]);
    }
  });

  /** A deleted user must not keep a session, nor be recreated incompletely. */
  test("a sign-in and a concurrent deletion of its user leave no session without a user", async () => {
    for (let round = 0; round < 8; round += 1) {
      const profile = newProfile();
      const { browser } = await signInWith(system, { profile });
      const begun = await beginSignIn(createBrowserLike(system.url), { provider: "plain" });
      const [back, deleted] = await Promise.all([
        callCallback(begun, "plain", { state: begun.state, code: codeFor(profile) }),
        browser.post("/delete-user"),
      ]);
      expect([back.status, deleted.status]).toEqual([302, 200]);
      expect(back.location).not.toContain("internal_server_error");
      const shown = await readSession(begun.browser);
      const users = await usersOf(profile.email);
      if (shown) expect(users).toEqual([{ id: shown.user.id }]);
      expect(await accountsOf(profile.sub)).toHaveLength(users.length);
    }
  });
});
