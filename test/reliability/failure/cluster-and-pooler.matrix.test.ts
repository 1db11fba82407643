import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashToken } from "@latchkey/crypto";
import {
  createTestRedis,
  type PgBouncer,
  type RedisClusterServers,
  type RedisServer,
  startPgBouncer,
  startRedisCluster,
  until,
} from "@latchkey/testkit";
import { afterAll, expect, inject, test } from "vitest";
import { matrixTest } from "../../harness/matrix.ts";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import {
  getCachedSession,
  getCachedSessionUntil,
  isSignedOut,
  untilCached,
  withCookiesOf,
} from "../../harness/cached-sessions.ts";
import { databaseEnvironment } from "../../harness/database-environment.ts";
import { serviceConfig } from "../../harness/operations.ts";
import { testSecret } from "../../harness/stores.ts";
import { setRole, password, signUp } from "../../harness/users.ts";
import type { Finding } from "../../../apps/cli/src/doctor/finding.ts";
import { useSystem } from "../../harness/use-system.ts";
import { runLatchkey } from "../../harness/run-latchkey.ts";

const serviceToken = "the token of a service that takes keys";
const slugsMax = 5;
const usesMax = 7;
const callers = 16;
const email = "ada@example.com";
const session = { cookieCache: { enabled: true } };

let servers: RedisClusterServers;
let pooler: PgBouncer;
let ada: BrowserLike;

const { system } = useSystem(async () => {
  [servers, pooler] = await Promise.all([
    startRedisCluster(),
    startPgBouncer({ databaseUrl: inject("databaseUrl") }),
  ]);
  return {
    stores: "redis",
    poolerUrl: pooler.url,
    config: {
      ...serviceConfig,
      redisUrl: servers.url,
      serviceTokens: { ...serviceConfig.serviceTokens, reports: serviceToken },
      apiKey: { rateLimit: { maxRequests: usesMax } },
      emailVerification: { sendOnSignUp: true },
      session,
      rateLimit: {
        enabled: true,
        customRules: {
          "/organization/check-slug": { window: 60, max: slugsMax },
          "/sign-up/email": false,
        },
      },
    },
  };
});
afterAll(async () => {
  await Promise.all([servers?.stop(), pooler?.stop()]);
});

const answer = async <Body = unknown>(response: Response): Promise<Body> => {
  expect(response.status, response.url).toBe(200);
  return (await response.json()) as Body;
};
const verify = async (key: string) =>
  answer<{ valid: boolean }>(
    await fetch(`${system.urlOf("apikey")}/internal/api-key/verify`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${serviceToken}` },
      body: JSON.stringify({ key }),
    }),
  );

test("sign-up, verification and revocation of a copied session work behind a pooler and on a cluster", async () => {
  ({ browser: ada } = await signUp(system, { email }));
  const [link = ""] = (await system.smtp.waitForMail(email)).links;
  expect((await ada.get(link.slice(system.url.length))).status).toBe(302);
  await until(async () => (await getCachedSession(ada)).text.includes('"emailVerified":true'));

  const laptop = createBrowserLike(system.url);
  await answer(await laptop.post("/sign-in/email", { email, password }));
  await untilCached(laptop);
  const thief = withCookiesOf(system.url, laptop);
  const sessions = await answer<{ token: string }[]>(await ada.get("/list-sessions"));
  expect(sessions).toHaveLength(2);
  await answer(await ada.post("/revoke-other-sessions"));
  expect((await getCachedSessionUntil(thief, isSignedOut)).text).toBe("null");
  expect(await answer(await ada.get("/list-sessions"))).toHaveLength(1);
});

test("organizations, key counts and exact limits work behind a pooler and on a cluster", async () => {
  await answer(await ada.post("/organization/create", { name: "Acme", slug: "acme" }));
  const invited = { email: "grace@example.com", role: "member" };
  const { id: invitationId } = await answer<{ id: string }>(
    await ada.post("/organization/invite-member", invited),
  );
  await system.smtp.waitForMail(({ text }) => text.includes("join Acme"));
  const { user, browser: grace } = await signUp(system, { name: "Grace", email: invited.email });
  await answer(await grace.post("/organization/accept-invitation", { invitationId }));

  const { key } = await answer<{ key: string }>(
    await grace.post("/api-key/create", { name: "Report" }),
  );
  const verdicts = await Promise.all(Array.from({ length: callers }, () => verify(key)));
  expect(verdicts.filter(({ valid }) => valid)).toHaveLength(usesMax);

  const answers = await Promise.all(
    Array.from({ length: callers }, (_, index) =>
      ada.post("/organization/check-slug", { slug: `free-${index}` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(slugsMax);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(callers - slugsMax);

  await setRole(system, user.id, "admin");
  const { queues } = await answer<{ queues: object[] }>(await grace.get("/admin/queues"));
  expect(queues).toContainEqual(expect.objectContaining({ name: "mailer", failed: 0 }));
});

test("the command line accepts a pooler and a cluster, promotes a user with sessions there, and reports misconfigured URLs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-cluster-"));
  const options = JSON.stringify({ session, advanced: system.settings.options.advanced });
  await writeFile(join(folder, "latchkey.config.json"), options);
  const command = (args: readonly string[], redisUrl: string) => {
    const environment = {
      ...databaseEnvironment(system.databaseUrl, pooler.url),
      REDIS_URL: redisUrl,
      AUTH_SECRET: testSecret,
    };
    return runLatchkey(args, { folder, environment });
  };
  const examine = async (redisUrl: string) => {
    const report = await command(["doctor", "--json"], redisUrl);
    const { checks } = JSON.parse(report.stdout) as { checks: Finding[] };
    return (name: string) => checks.filter(({ check }) => check === name);
  };
  const promote = ["create-admin", "--promote", "--email", email];
  const [sound, mistaken, promoted] = await Promise.all([
    examine(servers.url),
    examine(servers.masters[0]?.url ?? ""),
    command(promote, servers.url),
  ]);
  await rm(folder, { recursive: true });
  expect(promoted).toMatchObject({ code: 0, stderr: "" });
  await answer(await ada.get("/admin/queues"));
  for (const name of ["database", "direct database", "schemas", "queue mailer"])
    expect([name, sound(name).map(({ status }) => status)]).toEqual([name, ["ok"]]);
  expect(sound("redis").map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  const remedy = "write redis-cluster:// for redis:// in REDIS_URL";
  expect(mistaken("redis")).toEqual([expect.objectContaining({ status: "fail", remedy })]);
});

/** Signs users up until the session and the index of one are on other masters than the bus. */
const signUpApartFrom = async (
  bus: RedisServer,
  masterOf: (tag: string) => Promise<RedisServer>,
): Promise<BrowserLike> => {
  const { browser, token, user } = await signUp(system);
  const places = await Promise.all([hashToken(token).toString("hex"), user.id].map(masterOf));
  return places.includes(bus) ? signUpApartFrom(bus, masterOf) : browser;
};

matrixTest("while the bus's master is down nothing is lost", async () => {
  const { client, close } = await createTestRedis(servers.url);
  const masterOf = async (tag: string) =>
    servers.masterOf(Number(await client.call("CLUSTER", "KEYSLOT", `{${tag}}`)));
  const master = await masterOf(system.settings.options.advanced.redisKeyPrefix);
  const grace = await signUpApartFrom(master, masterOf);
  await close();
  await master.kill();
  await answer(await ada.post("/request-password-reset", { email }));
  for (const browser of [ada, grace])
    await until(async () => (await browser.get("/list-sessions")).status === 503);
  await master.restart();
  await system.smtp.waitForMail(({ subject }) => /password/i.test(subject), { timeoutMs: 120_000 });
  // The master returns empty, and may have had Ada's session.
  const signIn = () => createBrowserLike(system.url).post("/sign-in/email", { email, password });
  await until(async () => (await signIn()).status === 200, { timeoutMs: 120_000 });
  await until(async () => (await grace.get("/list-sessions")).status === 200);
  expect(await answer(await grace.get("/list-sessions"))).toHaveLength(1);
});
