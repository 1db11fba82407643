import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRows, type Rows } from "../harness/rows.ts";
import { createMigratedDatabase, createEmptyDatabase } from "../harness/stores.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import {
  type ResidentLatchkey,
  startResidentLatchkey,
} from "../harness/start-resident-latchkey.ts";
import { startSystem } from "../harness/start-system.ts";

expectNoLeaks("file");

const secret = "a secret of this installation and of no other";
const other = "another secret that somebody else has";
const schemas = ["identity", "organization", "apikey", "mailer", "webhooks", "oauth"];

/** Old entries in the mailer's log, which are years old. */
const oldCount = 3;
let folder: string;
let latchkey: ResidentLatchkey;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let rows: Rows;

/** Writes entries to each log by services that have stopped when the tests run, so the logs are sealed and signed to their end. */
const fillLogs = async () => {
  await rows.query(`insert into mailer.audit
    (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
    select '2020-01-01', 'system', null, 'delivery', n::text, 'delivery.sent', 'success', '', '' from generate_series(1, ${oldCount}) n`);
  await rows.query(`insert into webhooks.audit
    (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
    values ('2020-01-01', 'system', null, 'webhook', 'one', 'webhook.paused', 'success', '', '')`);
  await rows.query(`insert into oauth.audit
    (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
    values ('2020-01-01', 'system', null, 'user', 'one', 'oauth-grant.ended', 'success', '', '')`);
  const system = await startSystem({
    stores: { databaseUrl: database.url },
    config: { secret: [secret], oauthProvider: { enabled: true } },
  });
  await until(async () => (await rows.query("select from mailer.audit_checkpoint")).length > 0);
  await until(async () => (await rows.query("select from webhooks.audit_checkpoint")).length > 0);
  await until(async () => (await rows.query("select from oauth.audit_checkpoint")).length > 0);
  const browser = createBrowserLike(system.url);
  const posted = async (path: string, body: object) =>
    expect((await browser.post(path, body)).status).toBe(200);
  // Some parsers treat these characters as line ends, which an export must not contain.
  const name = 'Ada \u2028\u0085 {"kind":"entry"}';
  const person = { name, email: "ada@example.com", password: "correct horse battery" };
  await posted("/sign-up/email", person);
  await posted("/organization/create", { name, slug: "acme" });
  await posted("/api-key/create", { name: "till" });
  await posted("/send-verification-email", { email: person.email });
  await until(async () => (await rows.query("select from mailer.audit_seal")).length > oldCount);
  await system.stop();
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-audit-"));
  await chmod(folder, 0o711);
  latchkey = startResidentLatchkey(folder);
  database = await createMigratedDatabase();
  rows = openRows({ databaseUrl: database.url });
  await fillLogs();
});
afterAll(async () => {
  await latchkey.stop();
  await rows.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const audit = (args: readonly string[], environment: Record<string, string> = {}) =>
  latchkey.run(["audit", ...args], {
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    ...environment,
  });
/** Writes an export to a new file. */
const exported = async (...args: string[]) => {
  const { code, stdout, stderr } = await audit(["export", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  const file = join(folder, `${Math.random()}.jsonl`);
  await writeFile(file, stdout);
  return { file, lines: stdout.trimEnd().split("\n") };
};
/** Changes the database while a test runs, and reverts the change afterwards. */
const tampered = async (change: string, back: string, work: () => Promise<unknown>) => {
  await rows.query(change);
  try {
    await work();
  } finally {
    await rows.query(back);
  }
};
const change = "update organization.audit set actor_id = 'x' || actor_id where id = 1";
const changeBack = "update organization.audit set actor_id = substr(actor_id, 2) where id = 1";

describe("verify", () => {
  test("reports every log as whole and signed to its end after the services have stopped", async () => {
    const { code, stdout } = await audit(["verify"]);
    const lines = schemas.map(
      (schema) =>
        `${schema}: whole\\. (\\d+) entries, \\d+ checkpoints, signed up to position \\1\\. Hash [0-9a-f]{64}\\.\n`,
    );
    expect(stdout).toMatch(
      new RegExp(
        `^${lines.map((line, index) => line.replaceAll("\\1", `\\${index + 1}`)).join("")}$`,
      ),
    );
    expect(code).toBe(0);
  });

  test("reports where a log is broken, continues with the others, and exits with 1", async () => {
    await tampered(change, changeBack, async () => {
      const { code, stdout } = await audit(["verify"]);
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(
          /^organization: BROKEN \(changed\) at position 1, audit row 1: .* changed/m,
        ),
      ]);
      for (const schema of ["identity", "apikey", "mailer"])
        expect(stdout).toContain(`${schema}: whole.`);
      expect((await audit(["verify", "--schema", "identity", "--schema", "mailer"])).code).toBe(0);
      expect((await audit(["verify", "--schema", "organization"])).code).toBe(1);
    });
  });

  test("does not recognise signatures under another secret, unless the older one is listed", async () => {
    const { code, stdout } = await audit(["verify"], { AUTH_SECRET: other });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^identity: BROKEN \(forged\)/)]);
    expect((await audit(["verify"], { AUTH_SECRET: `${other},${secret}` })).code).toBe(0);
  });

  /** A leaked secret cannot stay configured, but its signatures must still be verifiable. */
  test("verifies signatures of a removed secret by its key alone", async () => {
    const key = (await audit(["key"])).stdout.trim();
    expect(await audit(["verify", "--key", key], { AUTH_SECRET: other })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^(?:\w+: whole\. .*\n){6}$/),
    });
  });

  test("includes every schema that has a log", async () => {
    const tables = await rows.query(
      "select table_schema as name from information_schema.tables where table_name = 'audit_seal'",
    );
    expect(tables.map(({ name }) => name).toSorted()).toEqual(schemas.toSorted());
  });
});

describe("an export", () => {
  test("is verified by the secret or by the key, and can be made of one schema only", async () => {
    const { file, lines } = await exported();
    expect(lines.filter((line) => line.startsWith('{"kind":"export"')).length).toBe(schemas.length);
    const whole = expect.stringMatching(
      /^(?:\w+: whole\. .* Exported \d{4}-\d\d-\d\dT[\d:.]+Z\.\n){6}$/,
    );
    expect(await audit(["verify", "--file", file])).toMatchObject({ code: 0, stdout: whole });
    const key = (await audit(["key"])).stdout.trim();
    // The verifier has neither the database nor the secret.
    const bare = ["audit", "verify", "--file", file, "--key", key];
    expect(await runLatchkey(bare, { folder })).toMatchObject({
      code: 0,
      stdout: whole,
      stderr: "",
    });
    const alone = await exported("--schema", "mailer");
    expect(alone.lines.every((line) => line.includes('"schema":"mailer"'))).toBe(true);
  });

  test("contains no secret", async () => {
    const { file } = await exported();
    const text = await readFile(file, "utf8");
    for (const hidden of [secret, "correct horse battery"]) expect(text).not.toContain(hidden);
  });

  test("reports the position of a change, and has no valid signatures under another key", async () => {
    const { file, lines } = await exported("--schema", "identity");
    const last = lines.findLastIndex((line) => line.includes('"kind":"entry"'));
    await writeFile(
      file,
      lines
        .with(last, (lines[last] ?? "").replace('"outcome":"success"', '"outcome":"refused"'))
        .join("\n"),
    );
    expect(await audit(["verify", "--file", file])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("BROKEN (changed)"),
    });
    await writeFile(file, lines.toSpliced(last).join("\n"));
    expect(await audit(["verify", "--file", file])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("BROKEN (truncated)"),
    });
    await writeFile(file, lines.join("\n"));
    const key = (await audit(["key"], { AUTH_SECRET: other })).stdout.trim();
    expect(await audit(["verify", "--file", file, "--key", key])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("BROKEN (forged)"),
    });
  });

  /** Attack: a log is removed from the file, together with its signed beginning. */
  test("is incomplete if a log is missing", async () => {
    const { file, lines } = await exported();
    await writeFile(file, lines.filter((line) => !line.includes('"schema":"mailer"')).join("\n"));
    expect(await audit(["verify", "--file", file])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^identity: whole\.[^]*^mailer: BROKEN \(missing\)/m),
    });
  });

  test("of a broken log is broken at the same position", async () => {
    await tampered(change, changeBack, async () => {
      const { file } = await exported("--schema", "organization");
      expect(await audit(["verify", "--file", file])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("BROKEN (changed) at position 1, audit row 1"),
      });
    });
  });

  test("is refused with a reason if the file is invalid", async () => {
    const file = join(folder, "other.jsonl");
    await writeFile(file, "hello\n");
    expect(await audit(["verify", "--file", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("line 1 is not"),
    });
    expect(await audit(["verify", "--file", join(folder, "none")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ENOENT"),
    });
  });
});

test("key prints one key per secret, the newest first", async () => {
  const keysOf = async (AUTH_SECRET: string) =>
    (await audit(["key"], { AUTH_SECRET })).stdout.trim().split("\n");
  const [newer, older] = [await keysOf(other), await keysOf(secret)];
  expect(await keysOf(`${other},${secret}`)).toEqual([...newer, ...older]);
});

test("prune deletes entries older than a day except in a broken log, and the remainder is whole and states its beginning", async () => {
  await tampered(change, changeBack, async () => {
    const { code, stdout } = await audit(["prune", "--before", "2021-01-01"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^organization: BROKEN \(changed\) .* Nothing was pruned\.$/m);
    for (const schema of ["identity", "apikey"])
      expect(stdout).toContain(`${schema}: 0 entries pruned. It begins after position 0.\n`);
    expect(stdout).toContain("mailer: 3 entries pruned. It begins after position 3.\n");
  });
  expect(await audit(["verify"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^mailer: whole\. \d+ entries after position 3, up to which it was pruned, /m,
    ),
  });
  expect(
    await rows.query("select actor_id, subject_id from mailer.audit where action = 'audit.pruned'"),
  ).toEqual([{ actor_id: "npx latchkey", subject_id: "mailer" }]);
});

test.each([
  [[], "verify, export, key or prune"],
  [["prove"], "verify, export, key or prune"],
  [["verify", "--schema", "gateway"], "--schema is one of"],
  [["verify", "--key", "x"], "--key must be"],
  [["verify", "--file", "x", "--key", "x"], "--key must be"],
  [["verify", "--file", "x", "--schema", "mailer"], "--schema goes without --file"],
  [["export", "--file", "x"], "latchkey audit"],
  [["key", "more"], "latchkey audit"],
  [["prune"], "--before"],
  [["prune", "--before", "2026-02-30"], "--before must be a day"],
  [["prune", "--before", "9999-01-01"], "not one to come"],
])("rejects %j with a reason and the usage", async (args, reason) => {
  const { code, stdout, stderr } = await audit(args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
  expect(stderr).toContain("Usage: npx latchkey audit verify");
});

test("refuses a database that is not migrated", async () => {
  const empty = await createEmptyDatabase();
  for (const args of [["verify"], ["export"], ["prune", "--before", "2026-01-01"]]) {
    const { code, stderr } = await audit(args, { DATABASE_URL: empty.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining("npx latchkey migrate")]);
  }
  await empty.drop();
});
