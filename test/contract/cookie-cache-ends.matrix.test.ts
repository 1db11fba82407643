import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  cachingConfig,
  getCachedSession,
  getCachedSessionUntil,
  isSignedOut,
  untilCached,
  withCookiesOf,
} from "../harness/cached-sessions.ts";
import { sessionStores } from "../harness/matrix.ts";
import { openRows } from "../harness/rows.ts";
import { callAdmin, password, setRole, signUp, type TestUser } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { startGateway } from "../harness/start-gateway.ts";

expectNoLeaks("file");

const options = {
  user: { deleteUser: { enabled: true, confirmByMail: false } },
  emailAndPassword: {
    resetPassword: { enabled: true },
    revokeSessionsOnPasswordReset: true,
  },
};

/** Two sessions of one user. `thief` has copied the cookies of the first. */
interface Victim extends TestUser {
  other: BrowserLike;
  thief: BrowserLike;
}

// Attack: cookies are copied before their session ends, and used by the thief afterwards.
describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const { system, admin } = useSystem({ stores, config: cachingConfig(options) });

  const arrange = async (): Promise<Victim> => {
    const person = await signUp(system);
    const other = createBrowserLike(system.url);
    await other.post("/sign-in/email", { email: person.email, password });
    const thief = withCookiesOf(system.url, person.browser);
    expect((await untilCached(thief)).user?.id).toBe(person.user.id);
    return { ...person, other, thief };
  };
  const newPassword = "another horse battery";
  const resetPassword = async ({ email }: Victim) => {
    const browser = createBrowserLike(system.url);
    await browser.post("/request-password-reset", { email });
    const link = new URL((await system.smtp.waitForMail(email)).links[0] ?? "");
    const token = link.pathname.split("/").at(-1);
    return browser.post("/reset-password", { token, newPassword });
  };

  test.each<[string, (victim: Victim) => Promise<{ status: number }>]>([
    ["a sign-out", ({ browser }) => browser.post("/sign-out")],
    ["a sign-out by bearer token", ({ token }) => signOutBearing(token)],
    ["revoking it", ({ other, token }) => other.post("/revoke-session", { token })],
    ["revoking the others", ({ other }) => other.post("/revoke-other-sessions")],
    ["revoking all", ({ other }) => other.post("/revoke-sessions")],
    [
      "a change of password that ends the others",
      ({ other }) =>
        other.post("/change-password", {
          currentPassword: password,
          newPassword,
          revokeOtherSessions: true,
        }),
    ],
    ["a reset of the password", resetPassword],
    ["deleting the account", ({ other }) => other.post("/delete-user", { password })],
    ["a ban", ({ user }) => callAdmin(admin, "/ban-user", { userId: user.id })],
    [
      "an admin who revokes it",
      ({ token }) => callAdmin(admin, "/revoke-user-session", { sessionToken: token }),
    ],
    [
      "an admin who removes the user",
      ({ user }) => callAdmin(admin, "/remove-user", { userId: user.id }),
    ],
  ])("after %s its cached sessions are refused at once", async (_end, end) => {
    const victim = await arrange();
    expect((await end(victim)).status).toBe(200);
    expect((await getCachedSessionUntil(victim.thief, isSignedOut)).text).toBe("null");
  });
  const signOutBearing = (token: string) =>
    fetch(`${system.url}/sign-out`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });

  test("the remaining sessions are answered from the cache again", async () => {
    const { browser, other } = await arrange();
    await other.post("/revoke-other-sessions");
    expect((await getCachedSessionUntil(other, ({ isCached }) => !isCached)).isCached).toBe(false);
    expect((await getCachedSessionUntil(other, ({ isCached }) => isCached)).isCached).toBe(true);
    expect((await getCachedSessionUntil(browser, isSignedOut)).text).toBe("null");
  });

  test("changes by services without the gateway take effect within moments", async () => {
    const { thief, user } = await arrange();
    await setRole(system, user.id, "admin");
    await until(async () => (await getCachedSession(thief)).text.includes('"role":"admin"'));
  });

  test("they take effect even if the notification is lost", async () => {
    const { thief, user } = await arrange();
    const rows = openRows(system);
    const [listener] = await rows.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where application_name = 'latchkey-listen' and datname = current_database()`,
    );
    await rows.close();
    expect(listener).toEqual({ ended: true });
    await setRole(system, user.id, "admin");
    await until(async () => (await getCachedSession(thief)).text.includes('"role":"admin"'));
  });

  test("another gateway learns of it within moments, and one that starts later before it accepts any cached session", async () => {
    const { redisUrl, advanced } = system.settings.options;
    const config = {
      ...cachingConfig(options),
      ...(redisUrl ? { redisUrl } : {}),
      advanced: { redisKeyPrefix: advanced.redisKeyPrefix },
    };
    const addressOf = (url: string) => system.url.replace(system.origin, url);
    const victim = await arrange();
    const second = await startGateway(system, { config });
    const there = withCookiesOf(addressOf(second.url), victim.thief);
    await untilCached(there);
    await victim.browser.post("/sign-out");
    await until(async () => (await getCachedSession(there)).text === "null");
    await second.stop();

    const third = await startGateway(system, { config });
    const bystander = withCookiesOf(addressOf(third.url), (await arrange()).browser);
    await untilCached(bystander);
    const late = withCookiesOf(addressOf(third.url), victim.thief);
    expect((await getCachedSession(late)).text).toBe("null");
    await third.stop();
  });
});
