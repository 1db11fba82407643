import { parseArgs } from "node:util";
import { dockerAnswers } from "../libs/testkit/src/docker-answers.ts";
import {
  ensureBackends,
  ensureBrowser,
  ensurePostgresTools,
  ensurePython,
} from "../libs/testkit/src/ensure-backends.ts";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run test:matrix [-- --only <long | screens | stores | pgbouncer | cluster | split | images>]: runs the tests that take minutes, and the details
// of the webs. Runs the system tests with every combination of stores, behind PgBouncer, on a Redis Cluster, and with two processes of each
// service. `npm test` runs them with one combination. `images` needs a Docker engine: it runs the tests of the stores in containers,
// builds the image, starts the compose file and runs the documented procedures in it.

interface Part {
  projects: readonly string[];
  environment: Record<string, string>;
}

const system = ["system"];
const details = { TEST_MATRIX: "details" };
const parts: Readonly<Record<string, Part>> = {
  long: { projects: ["system", "browser"], environment: { TEST_MATRIX: "long" } },
  screens: { projects: ["browser"], environment: { TEST_MATRIX: "whole" } },
  stores: {
    projects: ["store", ...system],
    environment: { TEST_MATRIX: "whole", PROPERTY_RUNS: "20" },
  },
  pgbouncer: { projects: system, environment: { ...details, TEST_POSTGRES: "pgbouncer" } },
  cluster: { projects: system, environment: { ...details, TEST_REDIS: "cluster" } },
  split: { projects: system, environment: { ...details, TEST_STACK: "split" } },
  images: {
    projects: ["store", "images"],
    environment: { TEST_MATRIX: "images", TEST_DATABASE_URL: "", TEST_REDIS_URL: "" },
  },
};

const { values } = parseArgs({ options: { only: { type: "string" } } });
const { only } = values;
const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0)
  throw new TypeError(`--only takes one of ${Object.keys(parts).join(", ")}`);

await ensureBackends();
await ensurePostgresTools();
await ensurePython();
if (chosen.some(([, { projects }]) => projects.includes("browser"))) await ensureBrowser();
const failed: string[] = [];
for (const [name, { projects, environment }] of chosen) {
  process.stdout.write(`\n${projects.join(" and ")} tests: ${name}\n`);
  if (name === "images" && !(await dockerAnswers())) {
    process.stderr.write("No Docker engine answers: start Docker, or set DOCKER_HOST.\n");
    failed.push(name);
    continue;
  }
  const args = ["run", ...projects.flatMap((project) => ["--project", project])];
  if (await runCommand("vitest", args, environment)) failed.push(name);
}
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
