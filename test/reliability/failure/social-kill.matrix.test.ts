import { until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { matrixTest } from "../../harness/matrix.ts";
import { createBrowserLike } from "../../harness/browser-like.ts";
import { openPool } from "../../harness/rows.ts";
import {
  beginSignIn,
  type BegunSignIn,
  callCallback,
  newProfile,
  reachable,
  testProvider,
} from "../../harness/social-sign-in.ts";
import { readSession } from "../../harness/users.ts";
import { useSystem } from "../../harness/use-system.ts";
import {
  codeFor,
  neverRespond,
  type OAuthProvider,
  startOAuthProvider,
} from "../../harness/providers/oauth-provider.ts";

let oauth: OAuthProvider;
let pool: ReturnType<typeof openPool>;
const { system, rows } = useSystem(async () => {
  oauth = await startOAuthProvider();
  return {
    topology: "processes",
    stores: "postgres",
    absent: ["mailer"],
    config: {
      advanced: reachable,
      rateLimit: { enabled: false },
      socialProviders: { plain: testProvider(oauth) },
    },
  };
});
beforeAll(async () => {
  pool = openPool(system.databaseUrl);
});
afterAll(async () => {
  await pool.end();
  await oauth.stop();
});
beforeEach(() => until(async () => (await system.readiness("identity")).status === 200));
afterEach(() => oauth.reset());

const start = () =>
  beginSignIn(createBrowserLike(system.url), {
    provider: "plain",
    callbackURL: "/in",
    newUserCallbackURL: "/new",
  });
const finish = (begun: BegunSignIn, profile: object) =>
  callCallback(begun, "plain", { state: begun.state, code: codeFor(profile) });

/** Counts the users, accounts and sessions of a profile. */
const writtenOf = async ({ sub, email }: { sub: string; email: string }) => {
  const [row] = await rows.query(
    `select (select count(*)::int from identity.user where email = $1) as users,
            (select count(*)::int from identity.account where account_id = $2) as accounts,
            (select count(*)::int from identity.session s join identity.user u on u.id = s.user_id
              where u.email = $1) as sessions`,
    email,
    sub,
  );
  return row;
};

/** Returns to the callback while identity is blocked, and kills identity there. */
const killAt = async (begun: BegunSignIn, profile: object, isReached: () => Promise<boolean>) => {
  const back = finish(begun, profile);
  await until(isReached, { describe: "identity at the moment of its death" });
  await system.kill("identity");
  const { status, location, cookies } = await back;
  expect([status, location, cookies]).toEqual([503, "", []]);
};

/** Blocks writes to a table, but not reads. */
const holdTable = async (table: string) => {
  const client = await pool.connect();
  await client.query(`begin; lock table ${table} in share mode`);
  return {
    isWaitedFor: async () => {
      const waiting = "select 1 from pg_locks where relation = $1::regclass and not granted";
      return (await rows.query(waiting, table)).length > 0;
    },
    letGo: async () => {
      await client.query("rollback");
      client.release();
    },
  };
};

const isBackAsNew = async (
  begun: BegunSignIn,
  profile: ReturnType<typeof newProfile>,
  place: string,
) => {
  await system.start("identity");
  await until(async () => (await system.readiness("identity")).status === 200);
  const { location } = await finish(begun, profile);
  expect(location).toBe(`${system.url}/error?error=please_restart_the_process`);
  const fresh = await start();
  expect((await finish(fresh, profile)).location).toBe(place);
  expect((await readSession(fresh.browser))?.user.email).toBe(profile.email);
  expect(await writtenOf(profile)).toEqual({ users: 1, accounts: 1, sessions: 1 });
};

matrixTest(
  "a user who was at the provider when identity was killed does not exist yet, and can start again",
  async () => {
    const profile = newProfile();
    const begun = await start();
    oauth.responses.userInfo = neverRespond;
    await killAt(begun, profile, async () =>
      oauth.requests.some(({ endpoint }) => endpoint === "userInfo"),
    );
    oauth.reset();
    expect(await writtenOf(profile)).toEqual({ users: 0, accounts: 0, sessions: 0 });
    await isBackAsNew(begun, profile, "/new");
  },
);

/** A user without a sign-in method would block their own address. */
test("a user who was being registered when identity was killed does not exist partially, and can start again", async () => {
  const profile = newProfile();
  const begun = await start();
  const { isWaitedFor, letGo } = await holdTable("identity.account");
  try {
    await killAt(begun, profile, isWaitedFor);
  } finally {
    await letGo();
  }
  expect(await writtenOf(profile)).toEqual({ users: 0, accounts: 0, sessions: 0 });
  await isBackAsNew(begun, profile, "/new");
});

matrixTest(
  "a user who was registered but not signed in when identity was killed exists, and can sign in",
  async () => {
    const profile = newProfile();
    const begun = await start();
    const { isWaitedFor, letGo } = await holdTable("identity.session");
    try {
      await killAt(begun, profile, isWaitedFor);
    } finally {
      await letGo();
    }
    expect(await writtenOf(profile)).toEqual({ users: 1, accounts: 1, sessions: 0 });
    await isBackAsNew(begun, profile, "/in");
  },
);
