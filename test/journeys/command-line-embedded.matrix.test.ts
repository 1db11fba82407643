import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { runLatchkey } from "../harness/run-latchkey.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { anyPort } from "../harness/any-port.ts";

expectNoLeaks("file");

const startScript = join(import.meta.dirname, "..", "..", "apps", "all-in-one", "src", "start.ts");
const password = "correct horse battery";
let folder: string;
let serving: ChildProcess | undefined;
/** The output of npm start. */
let written = "";
beforeAll(async () => {
  // Only its owner may enter the folder, as is usual for /root. Postgres does not run as root, so its account may not.
  folder = await mkdtemp(join(tmpdir(), "latchkey-own-"));
});
const endServing = async () => {
  if (!serving || serving.exitCode !== null) return;
  const ended = once(serving, "close");
  serving.kill("SIGINT");
  await ended;
};
afterAll(async () => {
  await endServing();
  const data = await realpath(join(folder, ".data", "postgres"));
  // Under root the data is in a separate folder outside of this one.
  if (!data.startsWith(folder)) await rm(dirname(data), { recursive: true, maxRetries: 10 });
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const run = (...args: string[]) =>
  runLatchkey(args, { folder, environment: anyPort, input: `${password}\n` });
const createAdmin = (email: string) =>
  run("create-admin", "--email", email, "--name", "Root", "--password-stdin");

/** Runs the program of npm start. Returns its address. */
const startServing = async (): Promise<string> => {
  const child = spawn(process.execPath, [startScript], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...childEnvironment(), ...anyPort },
  });
  serving = child;
  written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  return until(() => /answers at (\S+)[^]*Ctrl-C/.exec(written)?.[1], {
    timeoutMs: 120_000,
    describe: "the start",
  });
};

test("without DATABASE_URL, commands use the database of npm start, before it runs and while it runs", async () => {
  const first = await createAdmin("first@example.com");
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(".data/postgres")]);
  const stopped = await run("doctor");
  expect(stopped.code).toBe(0);
  expect(stopped.stdout).toMatch(/^warn {2}database: .*does not run/m);

  const url = await startServing();
  expect(written).not.toContain("First admin:");
  const second = await createAdmin("second@example.com");
  expect(second.code).toBe(0);
  for (const email of ["first@example.com", "second@example.com"]) {
    const answer = await createBrowserLike(url).post("/sign-in/email", { email, password });
    expect(answer.status).toBe(200);
  }
  expect((await run("rotate-keys")).stdout).toContain("stays published until");
  const running = await run("doctor");
  expect([running.code, running.stdout]).toEqual([
    0,
    expect.stringMatching(/^ok {4}signing keys: 2 published$/m),
  ]);
  const secret = (await readFile(join(folder, ".data", "secret"), "utf8")).trim();
  const data = await realpath(join(folder, ".data", "postgres"));
  expect(written).toContain(`data in ${data.startsWith(folder) ? ".data/postgres" : data}`);
  const superuser = await readFile(`${data}.password`, "utf8");
  for (const { stdout, stderr } of [first, second, stopped, running])
    for (const hidden of [secret, superuser, password])
      expect(stdout + stderr).not.toContain(hidden);

  await endServing();
  expect(serving?.exitCode).toBe(0);
  expect((await createAdmin("third@example.com")).code).toBe(0);
});

test("in production a missing DATABASE_URL does not create a database", async () => {
  const empty = await mkdtemp(join(tmpdir(), "latchkey-none-"));
  const environment = { NODE_ENV: "production" };
  const { code, stderr } = await runLatchkey(["migrate"], { folder: empty, environment });
  await rm(empty, { recursive: true });
  expect([code, stderr]).toEqual([1, expect.stringContaining("databaseUrl: is required")]);
});
