import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { anyPort } from "../harness/any-port.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import { createEmptyDatabase } from "../harness/stores.ts";

expectNoLeaks("file");

const root = join(import.meta.dirname, "..", "..");
let folder: string;
let portHolder: Server;
let takenPort: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-failed-"));
  portHolder = createServer().listen(0, "127.0.0.1");
  await once(portHolder, "listening");
  const address = portHolder.address();
  takenPort = typeof address === "object" && address ? address.port : 0;
});
afterAll(async () => {
  portHolder.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the program of an npm script in another folder. */
const runScript = async (
  program: string,
  environment: Readonly<Record<string, string>> = {},
  { cwd = folder, system = root } = {},
) => {
  const child = spawn(process.execPath, [join(system, "scripts", "run.js"), program], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...childEnvironment(), ...anyPort, ...environment },
  });
  const [, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, stderr };
};

/** Returns the output of a program that must exit with code 1 and print no stack trace. */
const refusalOf = async (...run: Parameters<typeof runScript>): Promise<string[]> => {
  const { code, stderr } = await runScript(...run);
  expect([code, stderr]).toEqual([1, expect.not.stringMatching(/^ {4}at /m)]);
  return stderr.trimEnd().split("\n");
};

const start = "apps/all-in-one/src/start.ts";
const nowhere = "127.0.0.1:1";

matrixTest("npm start reports which port is in use and which variable changes it", async () => {
  const database = await createEmptyDatabase();
  const refusal = await refusalOf(start, { DATABASE_URL: database.url, PORT: String(takenPort) });
  await database.drop();
  expect(refusal).toEqual([
    `Port ${takenPort} (gateway) is in use. Set PORT to another port, or stop the program that uses it.`,
  ]);
});

test("a single service reports which port is in use and which variable changes it", async () => {
  const environment = {
    DATABASE_URL: `postgres://latchkey:word@${nowhere}/main`,
    AUTH_SECRET: "a secret of this test and no other",
    MAILER_PORT: String(takenPort),
  };
  expect(await refusalOf("services/mailer/src/main.ts", environment)).toEqual([
    `Port ${takenPort} (mailer) is in use. Set MAILER_PORT to another port, or PORT, which moves every port, or stop the program that uses it.`,
  ]);
});

test("npm start and npx latchkey report that the database does not answer", async () => {
  const environment = { DATABASE_URL: `postgres://latchkey:word@${nowhere}/main` };
  const refusal = [
    `Postgres at ${nowhere}/main: connect ECONNREFUSED ${nowhere}.`,
    `Start Postgres at ${nowhere}/main, or fix DATABASE_URL.`,
  ];
  expect(await refusalOf(start, environment)).toEqual(refusal);
  const migrate = await runLatchkey(["migrate"], { folder, environment });
  expect([migrate.code, migrate.stderr]).toEqual([1, `latchkey migrate: ${refusal.join("\n")}\n`]);
});

test("npm start reports that the database refuses the password, without showing it", async () => {
  const url = new URL(inject("databaseUrl"));
  url.password = "wrong-word";
  const refusal = await refusalOf(start, { DATABASE_URL: url.href });
  expect(refusal).toEqual([
    expect.stringMatching(/^Postgres at \S+: password authentication failed/),
    "Fix user and password in DATABASE_URL.",
  ]);
  expect(refusal.join()).not.toContain("wrong-word");
});

test("npm start reports that Redis does not answer", async () => {
  const environment = { DATABASE_URL: inject("databaseUrl"), REDIS_URL: `redis://${nowhere}` };
  expect(await refusalOf(start, environment)).toEqual([
    `Redis at ${nowhere}: connect ECONNREFUSED ${nowhere}.`,
    `Start Redis at ${nowhere}, or fix REDIS_URL.`,
  ]);
});

/** A file replaces the folder, because root can write to any folder. */
test("npm start reports that it cannot write to .data", async () => {
  const cwd = join(folder, "unwritable");
  await mkdir(cwd);
  await writeFile(join(cwd, ".data"), "");
  expect(await refusalOf(start, {}, { cwd })).toEqual([
    `${join(cwd, ".data")} cannot be read and written (ENOTDIR). Make it a folder that this account may write to, or set DATABASE_URL and AUTH_SECRET, so that nothing is kept there.`,
  ]);
});

test("an empty secret is explained if a database may contain rows encrypted with the lost one", async () => {
  const cwd = join(folder, "empty-secret");
  await mkdir(join(cwd, ".data", "postgres"), { recursive: true });
  await writeFile(join(cwd, ".data", "secret"), "");
  await writeFile(join(cwd, ".data", "postgres", "PG_VERSION"), "18");
  const refusal = await refusalOf(start, {}, { cwd });
  expect(refusal.join("\n")).toContain(".data/secret is empty: put it back from a backup");
});

/** Copies only the programs, with their own packages and manifest. */
const copySystem = async (name: string, node: string): Promise<string> => {
  const system = join(folder, name);
  for (const part of ["apps/all-in-one/src", "apps/cli/bin", "apps/cli/src", "scripts"])
    await cp(join(root, part), join(system, part), { recursive: true });
  await writeFile(
    join(system, "package.json"),
    JSON.stringify({ type: "module", engines: { node } }),
  );
  return system;
};

const programs = [start, "apps/all-in-one/src/start-split.ts", "services/gateway/src/main.ts"];

test("every command reports the Node version that it needs", async () => {
  const system = await copySystem("old-node", ">=99.1.0");
  const refusal = [
    `Latchkey needs Node 99.1.0 or newer, and this is Node ${process.versions.node}. Install it, or run \`npm ci\`, which brings one along.`,
  ];
  for (const program of programs) expect(await refusalOf(program, {}, { system })).toEqual(refusal);
  const script = join(system, "apps", "cli", "bin", "latchkey.js");
  const { code, stderr } = await runLatchkey(["doctor"], { folder, script });
  expect([code, stderr]).toEqual([1, `${refusal.join("\n")}\n`]);
});

test("every command reports that npm ci did not finish", async () => {
  const system = await copySystem("half-installed", ">=22.22.0");
  const refusal = [
    "The packages of Latchkey are not installed completely. Run `npm ci`, then try again.",
  ];
  for (const program of programs) expect(await refusalOf(program, {}, { system })).toEqual(refusal);
  // Simulates a package that is lost later.
  await mkdir(join(system, "node_modules"));
  await writeFile(join(system, "node_modules", ".package-lock.json"), "{}");
  expect(await refusalOf(start, {}, { system })).toEqual(refusal);
});
