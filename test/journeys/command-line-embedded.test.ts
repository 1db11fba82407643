import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { runLatchkey } from "../run-latchkey.ts";
import { childEnvironment } from "../child-environment.ts";
import { anyPort } from "../any-port.ts";

expectNoLeaks("file");

const startScript = join(import.meta.dirname, "..", "..", "scripts", "start.ts");
const password = "correct horse battery";
let folder: string;
let serving: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-own-"));
  await chmod(folder, 0o711); // under root, Postgres' own account has to pass through
});
const endServing = async () => {
  if (!serving || serving.exitCode !== null) return;
  const ended = once(serving, "close");
  serving.kill("SIGINT");
  await ended;
};
afterAll(async () => {
  await endServing();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const run = (...args: string[]) =>
  runLatchkey(args, { folder, environment: anyPort, input: `${password}\n` });
const createAdmin = (email: string) =>
  run("create-admin", "--email", email, "--name", "Root", "--password-stdin");

/** What npm start runs; gives the address at which it answers. */
const startServing = async (): Promise<string> => {
  const child = spawn(process.execPath, [startScript], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...childEnvironment(), ...anyPort },
  });
  serving = child;
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  return until(() => /answers at (\S+)/.exec(written)?.[1], {
    timeoutMs: 45_000,
    describe: "the start",
  });
};

test("without DATABASE_URL commands work on the database of npm start, before it and beside it", async () => {
  const first = await createAdmin("first@example.com");
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(".data/postgres")]);
  const stopped = await run("doctor");
  expect(stopped.code).toBe(0);
  expect(stopped.stdout).toMatch(/^warn {2}database: .*does not run/m);

  const url = await startServing();
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
  const kept = (await readFile(join(folder, ".data", "secret"), "utf8")).trim();
  const superuser = await readFile(join(folder, ".data", "postgres.password"), "utf8");
  for (const { stdout, stderr } of [first, second, stopped, running])
    for (const hidden of [kept, superuser, password]) expect(stdout + stderr).not.toContain(hidden);

  await endServing();
  expect(serving?.exitCode).toBe(0);
  expect((await createAdmin("third@example.com")).code).toBe(0);
});

test("in production a forgotten DATABASE_URL makes no database of its own", async () => {
  const empty = await mkdtemp(join(tmpdir(), "latchkey-none-"));
  const environment = { NODE_ENV: "production" };
  const { code, stderr } = await runLatchkey(["migrate"], { folder: empty, environment });
  await rm(empty, { recursive: true });
  expect([code, stderr]).toEqual([1, expect.stringContaining("databaseUrl: is required")]);
});
