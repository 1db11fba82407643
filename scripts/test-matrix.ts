import { parseArgs } from "node:util";
import {
  ensureBackends,
  ensurePostgresTools,
  ensurePython,
} from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run test:matrix [-- --only <long | stores | pgbouncer | cluster | split>]: runs the tests that take minutes, and the system tests with
// every combination of stores, behind PgBouncer, on a Redis Cluster, and with two processes of each service. `npm test` runs the system tests
// with one combination.

const environments: Readonly<Record<string, Record<string, string>>> = {
  long: { TEST_MATRIX: "long" },
  stores: { TEST_MATRIX: "whole" },
  pgbouncer: { TEST_POSTGRES: "pgbouncer" },
  cluster: { TEST_REDIS: "cluster" },
  split: { TEST_STACK: "split" },
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const { only } = values;
const chosen = Object.entries(environments).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0)
  throw new TypeError(`--only takes one of ${Object.keys(environments).join(", ")}`);

await ensureBackends();
await ensurePostgresTools();
await ensurePython();
const failed: string[] = [];
for (const [name, environment] of chosen) {
  process.stdout.write(`\nsystem tests: ${name}\n`);
  const projects = name === "long" ? ["system", "browser"] : ["system"];
  const args = ["run", ...projects.flatMap((project) => ["--project", project])];
  if (await runCommand("vitest", args, environment)) failed.push(name);
}
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
