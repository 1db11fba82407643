import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { latchkeyScript } from "../harness/run-latchkey.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { insertUsers } from "./insert-users.ts";
import { openPlace, type Place } from "./place.ts";

expectNoLeaks("file");

const count = 4_000;
const timeout = 240_000;

let target: Place;
let rows: Rows;
let file: string;
beforeAll(async () => {
  const source = await openPlace({ stores: "postgres", smtpUrl: "" });
  target = await openPlace({ stores: "postgres", smtpUrl: "" });
  rows = openRows(target);
  await migrateAll(source.settings);
  await insertUsers(source, count);
  await insertOrganizations(source);
  const lines = await source.exportHere();
  file = join(target.folder, "export.jsonl");
  await writeFile(file, `${lines.join("\n")}\n`);
  await source.close();
}, timeout);
afterAll(async () => {
  await rows?.close();
  await target?.close();
});

const insertOrganizations = async (place: Place): Promise<void> => {
  const source = openRows(place);
  await source.query(
    `insert into organization.organization (id, name, slug, created_at)
     select 'o' || n, 'Organization ' || n, 'organization-' || n, now() from generate_series(1, $1::int) as n`,
    count,
  );
  await source.close();
};

const countRows = async (table: string): Promise<unknown> =>
  (await rows.query(`select count(*) as count from ${table}`))[0]?.["count"];

/** Makes the import of organizations take long enough to be seen. */
const slowDown = async (): Promise<void> => {
  await migrateAll(target.settings);
  await rows.query(`create function organization.slow_down() returns trigger language plpgsql
    as 'begin perform pg_sleep(2); return null; end'`);
  await rows.query(`create trigger slow_down before insert on organization.organization
    for each statement execute function organization.slow_down()`);
};

/** Starts an import, and kills it after the first schema is imported and while the next one is written. */
const killInTheMiddle = async (): Promise<void> => {
  const child = spawn(process.execPath, [latchkeyScript(), "import", "latchkey", "--from", file], {
    cwd: target.folder,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...childEnvironment(), ...target.environment },
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  await until(
    async () =>
      (
        await rows.query(
          `select 1 from pg_stat_activity
           where datname = current_database() and application_name = 'latchkey-organization'
             and query like '%insert into "organization"."organization"%overriding system value%'`,
        )
      ).length > 0,
    { timeoutMs: 120_000 },
  );
  child.kill("SIGKILL");
  await closed;
  await until(
    async () =>
      (
        await rows.query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name like 'latchkey-%'",
        )
      ).length === 0,
    { timeoutMs: 120_000 },
  );
};

test(
  "an interrupted import leaves each schema complete or empty, and the next one with the same file completes it",
  async () => {
    await slowDown();
    await killInTheMiddle();
    await rows.query("drop function organization.slow_down cascade");
    expect(await countRows(`identity."user"`)).toBe(count);
    expect(
      await rows.query("select 1 from identity.audit where action = 'installation.imported'"),
    ).toHaveLength(1);
    expect(await countRows("organization.organization")).toBe(0);

    const { code, stdout, stderr } = await target.run(["import", "latchkey", "--from", file]);
    expect([code, stderr, stdout.split("\n")]).toEqual([
      0,
      "",
      [
        "identity: was imported before",
        `organization: ${count} rows`,
        "apikey: 0 rows",
        "mailer: 0 rows",
        "webhooks: 0 rows",
        "Everything is imported. Services may start.",
        "",
      ],
    ]);
    expect(await countRows("organization.organization")).toBe(count);
  },
  timeout,
);
