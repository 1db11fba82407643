import { parseArgs } from "node:util";
import { readSettings } from "@latchkey/service-kit/config";
import { createTestDatabase, startBackends } from "@latchkey/testkit";
import pg from "pg";
import { createBetterAuth, sourceSecret } from "../test/import/create-better-auth.ts";
import { fillBetterAuth } from "../test/import/fill-better-auth.ts";
import { migrateAll } from "../apps/cli/src/installation/migrate-all.ts";
import { importDatabase } from "../apps/cli/src/better-auth/import-database.ts";
import { createImportReport } from "../apps/cli/src/better-auth/import-report.ts";

// npm run import:bench [-- --users 1000000] [--redis] [--version 1.2]: measures the import of a better-auth database, and of a second run
// that finds no changes.

const { values } = parseArgs({
  options: {
    users: { type: "string", default: "100000" },
    redis: { type: "boolean", default: false },
    version: { type: "string", default: "current" },
  },
});
const users = Number(values.users);
const version = values.version === "1.2" ? "1.2" : "current";

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

const backends = await startBackends();
const createEmpty = () =>
  createTestDatabase({
    baseUrl: backends.databaseUrl,
    template: { name: "empty", hash: "1", build: async () => {} },
  });
const [from, to] = [await createEmpty(), await createEmpty()];
const pool = new pg.Pool({ connectionString: from.url, max: 2 });
try {
  await createBetterAuth(version, pool);
  const begun = performance.now();
  await fillBetterAuth(pool, { users, password: `${"0".repeat(32)}:${"0".repeat(128)}` });
  say(`source of ${users} users filled in ${seconds(performance.now() - begun)} s`);
  const stores = values.redis ? { redisUrl: backends.redisUrl } : {};
  const settings = readSettings({ secret: [sourceSecret], databaseUrl: to.url, ...stores }, {});
  await migrateAll(settings);
  for (const name of ["first run", "second run"]) {
    const report = await createImportReport(undefined);
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    let last = "";
    let lastAt = start;
    const onProgress = (model: string, done: number, total: number): void => {
      if (done < total || model === last) return;
      last = model;
      say(`  ${model.padEnd(14)}${total} in ${seconds(performance.now() - lastAt)} s`);
      lastAt = performance.now();
    };
    await importDatabase(settings, {
      url: from.url,
      schema: "public",
      names: {},
      source: "better-auth",
      timeZone: "UTC",
      isDryRun: false,
      report,
      onProgress,
    });
    const took = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    say(report.describe());
    say(
      `${name}: ${seconds(took)} s, ${Math.round((users / took) * 1000)} users/s; this process used ${seconds((user + system) / 1000)} s ` +
        `of CPU and ${Math.round(process.memoryUsage().rss / 1024 ** 2)} MiB`,
    );
  }
} finally {
  await pool.end();
  await from.drop();
  await to.drop();
  await backends.stop();
}
