import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { replicas } from "../split/run-stack.ts";
import { type Stack, startStack } from "../stack.ts";
import {
  adminConfig,
  askAs,
  askInside,
  callers,
  everywhere,
  race,
  signUpAs,
  trySignIn,
} from "./admin-people.ts";
import {
  newEmail,
  openRows,
  password,
  type Rows,
  seen,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import { atTest, linkAt, newProfile, reachable, signInAt } from "./social-flow.ts";

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

describe.each(everywhere)("with sessions in $where", ({ stores, session }) => {
  let stack: Stack;
  let rows: Rows;
  let admin: SignedUp;
  beforeAll(async () => {
    stack = await startStack({
      stores,
      config: {
        ...adminConfig,
        // Due at each use.
        session: { ...session, updateAge: 0 },
        advanced: reachable,
        socialProviders: {
          plain: atTest(oauth),
          closed: atTest(oauth, { disableSignUp: true }),
        },
      },
    });
    rows = openRows(stack);
    admin = await signUpAs(stack, "admin");
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });

  /** Has a user count as one who was not active yet. */
  const forget = (userId: string) =>
    rows.ask("delete from identity.active_user where user_id = $1", userId);

  const isActive = async (userId: string) =>
    (await rows.ask("select from identity.active_user where user_id = $1", userId)).length > 0;

  const read = async (query = "") =>
    seen<{ days: Day[] }>(await admin.browser.get(`/admin/statistics/identity${query}`));
  /** Of the last days together, so that no midnight comes in between. */
  const total = async (): Promise<Counts> => {
    const { days } = (await read()).body;
    const sum = (name: keyof Counts) => days.reduce((all, one) => all + one[name], 0);
    return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Counts;
  };
  /** Requests go to replicas in turn, so that each has one of these. */
  const newcomers = replicas === 1 ? 1 : 2 * replicas;
  /** What something adds to the counts; once somebody new is known as active, all before that is written where they came. */
  const added = async (work: () => Promise<unknown>): Promise<Counts> => {
    const settled = async () => {
      for (let count = 0; count < newcomers; count += 1) {
        const { user } = await signUp(stack);
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

  test("a sign-up is a sign-in too, and its user is active", async () => {
    expect(await added(() => signUp(stack))).toEqual({
      ...none,
      signUps: 1,
      signIns: 1,
      activeUsers: 1,
    });
  });

  test("each sign-in counts, and whoever signs in is active once", async () => {
    const { email } = await signUp(stack);
    expect(await added(() => race(() => trySignIn(stack, email)))).toEqual({
      ...none,
      signIns: callers,
    });
  });

  test("each refused sign-in counts once, of known and unknown alike", async () => {
    const { email } = await signUp(stack);
    const browser = createBrowserLike(stack.url);
    const refused = async () => {
      await trySignIn(stack, email, { password: "wrong horse battery" });
      await trySignIn(stack, newEmail());
      await browser.post("/sign-in/username", { username: "nobody", password });
    };
    expect(await added(refused)).toEqual({ ...none, signInsFailed: 3 });
  });

  test("so does that of somebody who is banned", async () => {
    const { email, user } = await signUp(stack);
    await askAs(admin, "/ban-user", { userId: user.id });
    expect(await added(() => trySignIn(stack, email))).toEqual({ ...none, signInsFailed: 1 });
  });

  test("sixteen wrong passwords at once are sixteen refused sign-ins", async () => {
    const { email } = await signUp(stack);
    const wrong = () => trySignIn(stack, email, { password: "wrong horse battery" });
    expect(await added(() => race(wrong))).toEqual({ ...none, signInsFailed: callers });
  });

  test("who comes by a provider signs up, and later signs in", async () => {
    const profile = newProfile();
    const first = await added(() => signInAt(stack, { profile }));
    expect(first).toEqual({ ...none, signUps: 1, signIns: 1, activeUsers: 1 });
    expect(await added(() => signInAt(stack, { profile }))).toEqual({ ...none, signIns: 1 });
  });

  test("who is turned away when they come by a provider counts as refused, and who links does not", async () => {
    const person = await signUp(stack);
    const turnedAway = () => signInAt(stack, { profile: newProfile(), provider: "closed" });
    expect(await added(turnedAway)).toEqual({ ...none, signInsFailed: 1 });
    const failing = () => linkAt({ browser: person.browser, profile: newProfile() });
    expect(await added(failing)).toEqual(none);
  });

  test("an extended session makes its user active, and signs nobody in", async () => {
    const { browser, user } = await signUp(stack);
    const use = async () => {
      await forget(user.id);
      await browser.get("/get-session");
      await browser.get("/get-session");
    };
    expect(await added(use)).toEqual({ ...none, activeUsers: 1 });
  });

  test("whom an admin or a service makes does not sign up, and an impersonation is no sign-in", async () => {
    const one = () => ({ email: newEmail(), name: "Ada", password });
    expect(await added(() => askAs(admin, "/create-user", one()))).toEqual(none);
    expect(await added(() => askInside(stack, "/create-user", one()))).toEqual(none);
    const { user } = await signUp(stack);
    const impersonate = async () => {
      await askAs(admin, "/impersonate-user", { userId: user.id });
      await askAs(admin, "/stop-impersonating", undefined);
    };
    expect(await added(impersonate)).toEqual(none);
  });

  test("who changes the password, and ends the other sessions, does not sign in again", async () => {
    const { browser } = await signUp(stack);
    const change = {
      currentPassword: password,
      newPassword: "another horse battery",
      revokeOtherSessions: true,
    };
    expect(await added(() => browser.post("/change-password", change))).toEqual(none);
  });

  describe("a range", () => {
    test("has each of its days once, in order, also those to come", async () => {
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
    ])("%s is refused", async (query) => {
      expect(await read(query)).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    });
  });
});
