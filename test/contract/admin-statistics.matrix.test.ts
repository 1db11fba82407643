import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { type OAuthProvider, startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race, racers } from "../harness/race.ts";
import { readResponse } from "../harness/responses.ts";
import {
  linkWith,
  newProfile,
  reachable,
  signInWith,
  testProvider,
} from "../harness/social-sign-in.ts";
import { replicaCount } from "../harness/configure-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  callAdminInternal,
  newEmail,
  password,
  signUp,
  trySignIn,
} from "../harness/users.ts";

expectNoLeaks("file");

interface Counts {
  signUps: number;
  signIns: number;
  signInsFailed: number;
  activeUsers: number;
}
type Day = Counts & { day: string };
const none: Counts = { signUps: 0, signIns: 0, signInsFailed: 0, activeUsers: 0 };
const names = Object.keys(none) as (keyof Counts)[];

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  const { system, rows, admin } = useSystem(() => ({
    stores,
    config: {
      ...serviceConfig,
      // Extends a session at each use.
      session: { updateAge: 0 },
      advanced: reachable,
      socialProviders: {
        plain: testProvider(oauth),
        closed: testProvider(oauth, { disableSignUp: true }),
      },
    },
  }));

  /** Makes a user count as not active yet. */
  const forget = (userId: string) =>
    rows.query("delete from identity.active_user where user_id = $1", userId);

  const isActive = async (userId: string) =>
    (await rows.query("select from identity.active_user where user_id = $1", userId)).length > 0;

  const read = async (query = "") =>
    readResponse<{ days: Day[] }>(await admin.browser.get(`/admin/statistics/identity${query}`));
  /** Sums the last days, so that midnight does not matter. */
  const total = async (): Promise<Counts> => {
    const { days } = (await read()).body;
    const sum = (name: keyof Counts) => days.reduce((all, one) => all + one[name], 0);
    return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Counts;
  };
  /** Requests go to replicas in turn, so that each replica handles one of these sign-ups. */
  const newcomers = replicaCount === 1 ? 1 : 2 * replicaCount;
  /**
   * Returns how the work changes the counts. Each replica writes its counts in order, so once a new user counts as active, all
   * earlier ones are written.
   */
  const added = async (work: () => Promise<unknown>): Promise<Counts> => {
    const settled = async () => {
      for (let count = 0; count < newcomers; count += 1) {
        const { user } = await signUp(system);
        await until(() => isActive(user.id));
      }
      return total();
    };
    const before = await settled();
    await work();
    const now = await settled();
    const own = {
      signUps: newcomers,
      signIns: newcomers,
      signInsFailed: 0,
      activeUsers: newcomers,
    };
    return Object.fromEntries(
      names.map((name) => [name, now[name] - before[name] - own[name]]),
    ) as unknown as Counts;
  };

  test("a sign-up counts as a sign-in too, and its user is active", async () => {
    expect(await added(() => signUp(system))).toEqual({
      ...none,
      signUps: 1,
      signIns: 1,
      activeUsers: 1,
    });
  });

  test("each sign-in counts, and a user is active once", async () => {
    const { email } = await signUp(system);
    expect(await added(() => race(() => trySignIn(system, email)))).toEqual({
      ...none,
      signIns: racers,
    });
  });

  test("each rejected sign-in counts once, for known and unknown users alike", async () => {
    const { email } = await signUp(system);
    const browser = createBrowserLike(system.url);
    const refused = async () => {
      await trySignIn(system, email, { password: "wrong horse battery" });
      await trySignIn(system, newEmail());
      await browser.post("/sign-in/username", { username: "nobody", password });
    };
    expect(await added(refused)).toEqual({ ...none, signInsFailed: 3 });
  });

  test("a rejected sign-in of a banned user counts too", async () => {
    const { email, user } = await signUp(system);
    await callAdmin(admin, "/ban-user", { userId: user.id });
    expect(await added(() => trySignIn(system, email))).toEqual({ ...none, signInsFailed: 1 });
  });

  test("16 concurrent wrong passwords are 16 rejected sign-ins", async () => {
    const { email } = await signUp(system);
    const wrong = () => trySignIn(system, email, { password: "wrong horse battery" });
    expect(await added(() => race(wrong))).toEqual({ ...none, signInsFailed: racers });
  });

  test("a provider sign-in counts as a sign-up first and as a sign-in later", async () => {
    const profile = newProfile();
    const first = await added(() => signInWith(system, { profile }));
    expect(first).toEqual({ ...none, signUps: 1, signIns: 1, activeUsers: 1 });
    expect(await added(() => signInWith(system, { profile }))).toEqual({ ...none, signIns: 1 });
  });

  test("a refused provider sign-in counts as rejected, and linking does not count", async () => {
    const person = await signUp(system);
    const turnedAway = () => signInWith(system, { profile: newProfile(), provider: "closed" });
    expect(await added(turnedAway)).toEqual({ ...none, signInsFailed: 1 });
    const failing = () => linkWith({ browser: person.browser, profile: newProfile() });
    expect(await added(failing)).toEqual(none);
  });

  test("an extended session makes its user active but counts as no sign-in", async () => {
    const { browser, user } = await signUp(system);
    const use = async () => {
      await forget(user.id);
      await browser.get("/get-session");
      await browser.get("/get-session");
    };
    expect(await added(use)).toEqual({ ...none, activeUsers: 1 });
  });

  test("users created by an admin or a service are no sign-ups, and an impersonation is no sign-in", async () => {
    const one = () => ({ email: newEmail(), name: "Ada", password });
    expect(await added(() => callAdmin(admin, "/create-user", one()))).toEqual(none);
    expect(await added(() => callAdminInternal(system, "/create-user", one()))).toEqual(none);
    const { user } = await signUp(system);
    const impersonate = async () => {
      await callAdmin(admin, "/impersonate-user", { userId: user.id });
      await callAdmin(admin, "/stop-impersonating", undefined);
    };
    expect(await added(impersonate)).toEqual(none);
  });

  test("changing the password and revoking other sessions is no sign-in", async () => {
    const { browser } = await signUp(system);
    const change = {
      currentPassword: password,
      newPassword: "another horse battery",
      revokeOtherSessions: true,
    };
    expect(await added(() => browser.post("/change-password", change))).toEqual(none);
  });

  describe("a range", () => {
    test("has each of its days once, in order, including future ones", async () => {
      const { status, body } = await read("?from=2099-12-30&to=2100-01-02");
      expect(status).toBe(200);
      expect(body.days).toEqual(
        ["2099-12-30", "2099-12-31", "2100-01-01", "2100-01-02"].map((day) =>
          Object.assign({ day }, none),
        ),
      );
      expect((await read()).body.days).toHaveLength(30);
    });

    test.each([
      "?from=2030-02-30",
      "?from=yesterday",
      "?from=2030-01-02&to=2030-01-01",
      "?from=2028-01-01&to=2029-02-05",
      "?from=1969-12-31&to=1970-01-01",
      "?to=0000-01-01",
    ])("rejects %s", async (query) => {
      expect(await read(query)).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    });
  });
});
