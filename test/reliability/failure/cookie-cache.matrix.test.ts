import { until } from "@latchkey/testkit";
import { Client } from "pg";
import { describe, expect, inject, test } from "vitest";
import type { BrowserLike } from "../../harness/browser-like.ts";
import { getCachedSession, untilCached, withCookiesOf } from "../../harness/cached-sessions.ts";
import { matrix, matrixTest } from "../../harness/matrix.ts";
import { useSystem } from "../../harness/use-system.ts";
import { signUp } from "../../harness/users.ts";

const unheard = "identity does not report revocations";
const endedWell = [{ code: 0, signal: null }];

/** Closes a database for all connections. Returns a function that opens it again. */
const closeDatabase = async (url: string): Promise<() => Promise<void>> => {
  const name = new URL(url).pathname.slice(1);
  const admin = new Client({ connectionString: inject("databaseUrl") });
  await admin.connect();
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    name,
  ]);
  return async () => {
    await admin.query(`alter database ${name} with allow_connections true`);
    await admin.end();
  };
};

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system } = useSystem({
    topology: "processes",
    stores,
    config: { session: { cookieCache: { enabled: true } }, rateLimit: { enabled: false } },
  });

  const signUpCached = async (): Promise<BrowserLike> => {
    const { browser } = await signUp(system);
    await untilCached(browser);
    return browser;
  };
  const outages = () => system.output("gateway").split(unheard).length - 1;

  test("no cached session is accepted while identity is down, and it is accepted again afterwards", async () => {
    const [browser, before] = [await signUpCached(), outages()];
    await system.kill("identity");
    await until(async () => (await getCachedSession(browser)).status === 503);
    await until(async () => (await system.readiness("gateway")).status === 503);
    expect(outages()).toBe(before + 1);
    await system.start("identity");
    expect((await untilCached(browser)).status).toBe(200);
    expect(outages()).toBe(before + 1);
  });

  test("no cached session is accepted while revocations cannot be read from Postgres", async () => {
    const browser = await signUpCached();
    const open = await closeDatabase(system.databaseUrl);
    try {
      await until(async () => !(await getCachedSession(browser)).isCached);
      // Identity answers from the store of sessions, if that is reachable.
      expect((await getCachedSession(browser)).status === 200).toBe(stores === "redis");
    } finally {
      await open();
    }
    await untilCached(browser);
  });

  /** Attack: sending copied cookies to a gateway that was not running when their session ended. */
  test("a restarted gateway reads the revocations before it accepts any cached session", async () => {
    const [browser, bystander] = [await signUpCached(), await signUpCached()];
    const thief = withCookiesOf(system.url, browser);
    expect((await browser.post("/sign-out")).status).toBe(200);
    expect(await system.end("gateway")).toEqual(endedWell);
    await system.start("gateway");
    await untilCached(bystander);
    expect((await getCachedSession(thief)).text).toBe("null");
  });

  matrixTest("identity stops cleanly while gateways wait for its revocations", async () => {
    await signUpCached();
    expect(await system.end("identity")).toEqual(endedWell);
    await system.start("identity");
  });
});
