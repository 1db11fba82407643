import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, type TestDatabase, until } from "@latchkey/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { latchkeyScript } from "../harness/run-latchkey.ts";
import {
  type ResidentLatchkey,
  startResidentLatchkey,
} from "../harness/start-resident-latchkey.ts";
import { createMigratedDatabase, testSecret } from "../harness/stores.ts";
import { type BetterAuthApp, sourcePassword, startBetterAuth } from "./better-auth-app.ts";
import { fillBetterAuth } from "./fill-better-auth.ts";

expectNoLeaks("file");

/** A machine may be busy. */
vi.setConfig({ testTimeout: 300_000 });

/** Enough users for several batches. */
const users = 2_100;

let app: BetterAuthApp;
let target: TestDatabase;
let rows: pg.Pool;
let folder: string;
let resident: ResidentLatchkey;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  resident = startResidentLatchkey(folder);
  // Passed in a file, because commas separate several secrets in the environment.
  const config = JSON.stringify({ secret: [testSecret] });
  await writeFile(join(folder, "latchkey.config.json"), config, { mode: 0o600 });
  app = await startBetterAuth("current");
  await fillBetterAuth(app.pool, { users, password: `${"0".repeat(32)}:${"0".repeat(128)}` });
  await app.signUp("live");
  target = await createMigratedDatabase();
  rows = new pg.Pool({ connectionString: target.url, max: 2 });
  rows.on("error", () => {});
});
afterAll(async () => {
  await rows?.end();
  await app?.stop();
  await target?.drop();
  await resident?.stop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (secret?: string) => ({
  ...(secret === undefined ? {} : { AUTH_SECRET: secret }),
  DATABASE_URL: target.url,
  BETTER_AUTH_DATABASE_URL: app.url,
});
const run = (args: string[], secret?: string) =>
  resident.run(["import", "better-auth", ...args], environment(secret));

const counted = async (): Promise<Record<string, number>> => {
  const tables = {
    users: 'identity."user"',
    accounts: "identity.account",
    sessions: "identity.session",
    members: "organization.member",
    organizations: "organization.organization",
    keys: "apikey.api_key",
    taken: "identity.taken",
    audits: "identity.audit",
  };
  const columns = Object.entries(tables).map(
    ([name, table]) => `(select count(*)::int from ${table}) as ${name}`,
  );
  const { rows: counts } = await rows.query<Record<string, number>>(`select ${columns.join(", ")}`);
  return counts[0] ?? {};
};

test("a dry run writes nothing, and reports what a run would do", async () => {
  const before = await counted();
  const { code, stdout } = await run(["--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain("nothing was written");
  expect(stdout).toMatch(/user +2101 +0 +0 +0 +0/);
  expect(await counted()).toEqual(before);
});

/** Guards against a half-imported database that the configured secret cannot decrypt. */
test("refuses a secret other than the source's before it writes anything, if the source has encrypted rows", async () => {
  const { reply } = await app.call(
    "/sign-in/email",
    { email: "live@example.com", password: sourcePassword },
    "",
  );
  expect(reply.user.email).toBe("live@example.com");
  const { cookie } = await app.call("/sign-in/email", {
    email: "live@example.com",
    password: sourcePassword,
  });
  await app.call("/token", undefined, cookie); // creates a signing key
  const before = await counted();
  const { code, stderr } = await run([], "quite another secret than that of the application");
  expect([code, stderr]).toEqual([1, expect.stringContaining("AUTH_SECRET is not the secret")]);
  expect(await counted()).toEqual(before);
});

/** Starts a run that cannot finish, because the last table is locked, and kills it after the users are imported. */
const killInTheMiddle = async (): Promise<void> => {
  const holder = await rows.connect();
  await holder.query("begin; lock table apikey.api_key in share mode");
  const child = spawn(process.execPath, [latchkeyScript(), "import", "better-auth"], {
    cwd: folder,
    stdio: "ignore",
    env: { ...childEnvironment(), ...environment() },
  });
  const ended = once(child, "exit");
  try {
    await until(async () => ((await counted())["users"] ?? 0) > 0, { timeoutMs: 200_000 });
  } finally {
    child.kill("SIGKILL");
    await ended;
    holder.release(true);
  }
};

test("an interrupted run is completed by the next one, after which another changes nothing", async () => {
  await killInTheMiddle();
  const broken = await counted();
  expect(broken["users"]).toBeGreaterThan(0);
  expect(broken["keys"]).toBe(0);
  const finished = await run([]);
  expect([finished.code, finished.stderr.includes("apikey")]).toEqual([0, true]);
  const whole = await counted();
  expect(whole).toMatchObject({
    users: users + 1,
    accounts: users + 1,
    members: users,
    organizations: users / 100,
    keys: users / 10,
    audits: 1,
  });
  expect((await run([])).code).toBe(0);
  expect(await counted()).toEqual(whole);
});

test("refuses a database that shares no users with the one imported under this name", async () => {
  const other = await startBetterAuth("1.2");
  try {
    await other.signUp("somebody");
    const before = await counted();
    const { code, stderr } = await run(["--from", other.url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("seems to be another one")]);
    expect(await counted()).toEqual(before);
  } finally {
    await other.stop();
  }
});

matrixTest("skips rows that cannot be imported, and reports the reason for each", async () => {
  const insert = (id: string, name: string, email: string, username: string | null) =>
    app.pool.query(
      `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username, role)
      values ($1, $2, $3, true, now(), 'infinity', $4, $5)`,
      [id, name, email, username, "x".repeat(10_000)],
    );
  await insert("upper", "Upper", "PERSON1@EXAMPLE.COM", null);
  await insert("no-address", "None", "not an address", null);
  await insert("i".repeat(5_000), "Long", "long@example.com", null);
  await insert("odd", "n".repeat(100_000), "odd@example.com", "no spaces, please");
  await app.pool.query(
    `insert into organization (id, name, slug, metadata, "createdAt") values ('odd-metadata', 'Odd', 'odd', '{broken', now())`,
  );
  await app.pool.query(
    `insert into member (id, "organizationId", "userId", role, "createdAt")
    values ('odd-member', 'odd-metadata', 'odd', 'emperor', now()), ('left-member', 'odd-metadata', 'upper', 'owner', now())`,
  );
  await app.pool.query(
    `insert into apikey (id, key, "referenceId", "configId", permissions, metadata, "rateLimitMax", "createdAt", "updatedAt")
    values ('plain', 'a key in clear', 'odd', 'default', null, null, null, now(), now()),
      ('mighty', $1, 'odd', 'default', '["all"]', null, null, now(), now()),
      ('theirs', $2, 'organization-1', 'default', null, null, null, now(), now()),
      ('nobody', $4, 'nobody', 'default', null, null, null, now(), now()),
      ('fine', $3, 'odd', 'default', null, '[broken', -1, now(), now())`,
    ["m".repeat(43), "t".repeat(43), "f".repeat(43), "n".repeat(43)],
  );
  await app.pool.query(
    `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
    values ('old', 'an old token', 'odd', now() - interval '1 day', now(), now())`,
  );
  const report = join(folder, "report.jsonl");
  const { code } = await run(["--report", report]);
  expect(code).toBe(0);
  const text = await readFile(report, "utf8");
  const again = await run(["--report", report]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is there already")]);
  expect(await readFile(report, "utf8")).toBe(text);
  const lines = text
    .trim()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(line) as { model: string; key: string; brought: boolean; reason: string },
    );
  const reasonsOf = (model: string, key: string) =>
    lines.filter((line) => line.model === model && line.key === key).map(({ reason }) => reason);
  expect(reasonsOf("user", "upper")).toContain("another user has its email address here");
  expect(reasonsOf("user", "no-address")).toEqual(["its email address is none"]);
  expect(reasonsOf("user", "i".repeat(5_000))).toEqual(["its id is too long"]);
  expect(reasonsOf("user", "odd")).toEqual([
    "its username is not one that the options allow",
    expect.stringContaining("is not one of admin.roles"),
  ]);
  expect(reasonsOf("organization", "odd-metadata")).toEqual([
    "its metadata is no JSON of an object",
  ]);
  expect(reasonsOf("member", "odd-member")).toEqual([
    'its role "emperor" is not one of organization.roles',
  ]);
  expect(reasonsOf("member", "left-member")).toEqual(["its user was not brought"]);
  expect(reasonsOf("apikey", "plain")).toEqual([
    "it is not stored as the hash that is the default",
  ]);
  expect(reasonsOf("apikey", "mighty")).toEqual(["its permissions cannot be read"]);
  expect(reasonsOf("apikey", "nobody")).toEqual(["it belongs to no user and to no organization"]);
  expect(reasonsOf("apikey", "theirs")).toEqual([
    "it belongs to an organization, and apiKey.organizationKeys.enabled is off",
  ]);
  expect(reasonsOf("apikey", "fine")).toEqual([
    "its rate limit is none that can be kept",
    "its metadata is no JSON of an object",
  ]);
  expect(lines.filter(({ model }) => model === "session").map(({ reason }) => reason)).toEqual([
    "it has expired",
  ]);
});
