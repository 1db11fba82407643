import { type createTestDatabase, expectNoLeaks } from "@latchkey/testkit";
import { readSettings, type Settings } from "@latchkey/service-kit/config";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anyPort } from "../harness/any-port.ts";
import { createMigratedDatabase, testSecret } from "../harness/stores.ts";
import { type BetterAuthApp, startBetterAuth } from "./better-auth-app.ts";
import { importInto } from "./import-into.ts";

expectNoLeaks("file");

let app: BetterAuthApp;
let target: Awaited<ReturnType<typeof createTestDatabase>>;
let rows: pg.Pool;
let settings: Settings;
beforeAll(async () => {
  app = await startBetterAuth("current");
});
afterAll(() => app.stop());

/** Each test has an application with one user of each kind, and imports it into a new installation. */
beforeEach(async () => {
  await app.pool.query(`truncate "user", organization, apikey, verification cascade`);
  await seed();
  target = await createMigratedDatabase();
  settings = readSettings({ secret: [testSecret], databaseUrl: target.url, ...teams }, anyPort);
  rows = new pg.Pool({ connectionString: target.url, max: 2 });
  rows.on("error", () => {});
  return async () => {
    await rows.end();
    await target.drop();
  };
});
const teams = { organization: { teams: { enabled: true } } };

const seed = async () => {
  await addUser("mallory", "victim@example.com");
  await addUser("bea", "bea@example.com");
  await addSession("first", "mallory");
  await addKey("key", "mallory");
  await app.pool.query(
    `insert into organization (id, name, slug, "createdAt") values ('o', 'O', 'o', now())`,
  );
  await app.pool.query(
    `insert into team (id, name, "organizationId", "memberCount", "createdAt")
    values ('t1', 'A', 'o', 0, now()), ('t2', 'B', 'o', 0, now())`,
  );
  await app.pool.query(
    `insert into member (id, "organizationId", "userId", role, "createdAt") values ('m', 'o', 'bea', 'member', now())`,
  );
  await joinTeam("t1");
  await app.pool.query(
    `insert into verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
    values ('v', $1, 'bea', now() + interval '1 hour', now(), now())`,
    [`reset-password:${"t".repeat(24)}`],
  );
};

const addUser = (id: string, email: string, name = id) =>
  app.pool.query(
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt") values ($1, $2, $3, false, now(), now())`,
    [id, name, email],
  );
const addSession = (id: string, userId: string) =>
  app.pool.query(
    `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
    values ($1, 'a token of ' || $1, $2, now() + interval '1 day', now(), now())`,
    [id, userId],
  );
const addKey = (id: string, userId: string, permissions: string | null = null, name = id) =>
  app.pool.query(
    `insert into apikey (id, name, key, "referenceId", "configId", enabled, permissions, "createdAt", "updatedAt")
    values ($1, $4, rpad($1, 43, 'k'), $2, 'default', true, $3, now(), now())`,
    [id, userId, permissions, name],
  );
const addAccount = (id: string, userId: string) =>
  app.pool.query(
    `insert into account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt") values ($1, $1, 'google', $2, now(), now())`,
    [id, userId],
  );
const joinTeam = async (team: string) => {
  await app.pool.query(`delete from "teamMember"`);
  await app.pool.query(
    `insert into "teamMember" (id, "teamId", "userId", "createdAt") values ('tm', $1, 'bea', now())`,
    [team],
  );
};

const importAgain = (options?: Parameters<typeof importInto>[2]) =>
  importInto({ settings }, app.url, options);
const idsIn = async (table: string): Promise<string[]> => {
  const { rows: stored } = await rows.query<{ id: string }>(`select id from ${table} order by id`);
  return stored.map(({ id }) => id);
};
const liveSessions = async () => {
  const { rows: sessions } = await rows.query<{ id: string }>(
    `select id from identity.session where revoked_at is null and expires_at > now() order by id`,
  );
  return sessions.map(({ id }) => id);
};

/** Attack: a user of the source has the id of an organization there, and so gets its key. */
test("a key belongs to the user or the organization with its id, and is left out if there are both", async () => {
  const organizationKeys = { apiKey: { organizationKeys: { enabled: true } } };
  const options = { secret: [testSecret], databaseUrl: target.url, ...teams, ...organizationKeys };
  settings = readSettings(options, anyPort);
  await addKey("theirs", "o");
  await addKey("unclear", "both");
  await addUser("both", "both@example.com");
  await app.pool.query(
    `insert into organization (id, name, slug, "createdAt") values ('both', 'Both', 'both', now())`,
  );
  const { output } = await importAgain();
  expect(output).toContain("1  apikey: its owner may be a user or an organization");
  const { rows: keys } = await rows.query(
    `select id, user_id, organization_id from apikey.api_key order by id`,
  );
  expect(keys).toEqual([
    { id: "key", user_id: "mallory", organization_id: null },
    { id: "theirs", user_id: null, organization_id: "o" },
  ]);
});

/**
 * Attack: the attacker registered a victim's address in the source. Its owner has claimed the user here, and the attacker keeps
 * using the source.
 */
test("an attacker who lost a user here to the owner of its address regains nothing by new rows in the source", async () => {
  await importAgain();
  await rows.query(
    `update identity."user" set email_verified = true, sessions_ended_at = now() where id = 'mallory'`,
  );
  await rows.query(`delete from identity.session where user_id = 'mallory'`);
  await addSession("second", "mallory");
  await addAccount("way-in", "mallory");
  await addKey("second", "mallory");
  const dry = await importAgain({ isDryRun: true });
  const { output, counts } = await importAgain();
  expect(counts).toEqual(dry.counts);
  expect(output).toContain("user: its address was proven here since");
  expect(await liveSessions()).toEqual([]);
  expect(await idsIn("identity.account")).toEqual([]);
  expect(await idsIn("apikey.api_key")).toEqual(["key"]);
});

test("a user who was removed here stays removed, whatever is created or changed in the source", async () => {
  await importAgain();
  await rows.query(`delete from identity."user" where id = 'mallory'`);
  await rows.query(`delete from apikey.api_key`);
  await app.pool.query(`update "user" set name = 'again', role = 'admin' where id = 'mallory'`);
  await addSession("second", "mallory");
  await addKey("second", "mallory");
  for (let run = 1; run <= 2; run += 1) {
    const { output } = await importAgain();
    expect(output).toContain("user: it was removed here since");
  }
  expect(await idsIn('identity."user"')).toEqual(["bea"]);
  expect(await liveSessions()).toEqual([]);
  expect(await idsIn("apikey.api_key")).toEqual([]);
});

/** Rows that have expired or are banned in the source still exist there. */
test("rows that are no longer valid in the source are not valid here", async () => {
  await addSession("banned", "bea");
  await importAgain();
  expect(await liveSessions()).toEqual(["banned", "first"]);
  await app.pool.query(`update session set "expiresAt" = now() where id = 'first'`);
  await app.pool.query(`update "user" set banned = true where id = 'bea'`);
  await app.pool.query(`update apikey set "expiresAt" = now() - interval '1 minute'`);
  await app.pool.query(`update verification set "expiresAt" = now() - interval '1 minute'`);
  const dry = await importAgain({ isDryRun: true });
  const { counts } = await importAgain();
  expect(counts).toEqual(dry.counts);
  expect(counts).toMatchObject({ session: { removed: 2 }, apikey: { removed: 1 } });
  expect(await liveSessions()).toEqual([]);
  expect(await idsIn("apikey.api_key")).toEqual([]);
  expect(await idsIn("identity.verification")).toEqual([]);
});

test("a key that was changed here is kept, and one that was removed here stays removed after it expires in the source", async () => {
  await addKey("other", "bea");
  await importAgain();
  await rows.query(`update apikey.api_key set name = 'ours' where id = 'key'`);
  await rows.query(`delete from apikey.api_key where id = 'other'`);
  await app.pool.query(`update apikey set "expiresAt" = now() - interval '1 minute'`);
  await importAgain();
  await app.pool.query(`update apikey set "expiresAt" = null`);
  await importAgain();
  expect(await idsIn("apikey.api_key")).toEqual(["key"]);
});

test("a team in the source that was removed here is joined by nobody", async () => {
  await importAgain();
  await rows.query(`delete from organization.team where id = 't2'`);
  await joinTeam("t2");
  const { output } = await importAgain();
  expect(output).toContain("teamMember: it was changed here since");
  const { rows: members } = await rows.query(`select team_id from organization.member`);
  expect(members).toEqual([{ team_id: "t1" }]);
});

/** Half a surrogate pair, or a character that JSON in Postgres cannot hold, would otherwise abort the whole run. */
test("no text that a user of the source chose aborts a run", async () => {
  const long = `${"n".repeat(9_999)}😀`;
  await addUser("long", "long@example.com", long);
  await app.pool.query(`update organization set name = $1, logo = $1`, [long]);
  await addKey("long", "bea", null, `${"n".repeat(999)}😀`);
  await addKey("nul", "bea", String.raw`{"a":["\u0000"]}`);
  await addKey("half", "bea", String.raw`{"a\ud800":["b"]}`);
  await app.pool.query(`update session set "userAgent" = $1`, [`${"n".repeat(2_047)}😀`]);
  const { output } = await importAgain();
  expect(output).toContain("2  apikey: its permissions cannot be read");
  expect(await idsIn("apikey.api_key")).toEqual(["key", "long"]);
  expect(await idsIn('identity."user"')).toContain("long");
  expect(await liveSessions()).toEqual(["first"]);
});

test("reports every imported admin", async () => {
  await app.pool.query(`update "user" set role = 'admin' where id = 'mallory'`);
  const { output } = await importAgain({ isDryRun: true });
  expect(output).toContain("1  user: it is an admin here");
});

/** If a table seemed empty to the reader, the import would delete all rows that came from it. */
test("rows that are hidden from the reader are not treated as removed", async () => {
  await importAgain();
  const reader = `reader_${process.pid}`;
  await app.pool.query(`create role ${reader} login password 'r'`);
  try {
    await app.pool.query(`grant usage on schema public to ${reader}`);
    await app.pool.query(`grant select on all tables in schema public to ${reader}`);
    await app.pool.query(`alter table session enable row level security`);
    const url = new URL(app.url);
    url.username = reader;
    url.password = "r";
    await expect(importInto({ settings }, url.href)).rejects.toThrow(/row-level security/);
    expect(await liveSessions()).toEqual(["first"]);
  } finally {
    await app.pool.query(`alter table session disable row level security`);
    await app.pool.query(`drop owned by ${reader}`);
    await app.pool.query(`drop role ${reader}`);
  }
});
