import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { until } from "@latchkey/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const source = new URL("embedded-postgres.ts", import.meta.url).href;
let home: string;
let directory: string;
const running: EmbeddedPostgres[] = [];
const owners: ChildProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "embedded-"));
  // Under root, Postgres' own account has to pass through.
  await chmod(home, 0o755);
  directory = join(home, "postgres");
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
  await rm(home, { recursive: true, force: true });
});

test("data and password survive a stop, and only their owner may read the password", async () => {
  const first = await start();
  expect(first.alreadyInitialised).toBe(false);
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await start();
  expect(second.alreadyInitialised).toBe(true);
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  expect((await stat(`${directory}.password`)).mode & 0o777).toBe(0o600);
});

test("a wrong password is refused, and so is none", async () => {
  const { url } = await start();
  await expect(query(url.replace(/:[^:@]+@/, ":guess@"), "select 1")).rejects.toThrow(
    /password authentication failed/,
  );
  await expect(query(url.replace(/:[^:@]+@/, "@"), "select 1")).rejects.toThrow(/password/);
});

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test("a commit survives kill -9 of Postgres", async () => {
  const first = await start();
  await query(first.url, "create table kept as select 42 as answer");
  const killed = await postmasterPid();
  process.kill(killed, "SIGKILL");
  await until(() => isGone(killed));
  const second = await start();
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("after kill -9 of its owner, the next start replaces the orphan and keeps its commits", async () => {
  const owner = await startOwner("setInterval(() => undefined, 1000)");
  await query(owner.url, "create table kept as select 42 as answer");
  const orphan = await postmasterPid();
  owner.process.kill("SIGKILL");
  await once(owner.process, "exit");
  const next = await start();
  expect(await postmasterPid()).not.toBe(orphan);
  expect(await query(next.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("a directory in use by a living owner is refused, and the owner keeps working", async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(`in use by process ${process.pid}`);
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a lock file whose pid is another process' by now does not stop the start", async () => {
  const first = await start();
  const lock = await readFile(join(directory, "postmaster.pid"), "utf8");
  await first.stop();
  const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
  owners.push(stranger);
  await writeFile(join(directory, "postmaster.pid"), lock.replace(/^\d+/, String(stranger.pid)));
  const second = await start();
  expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(stranger.exitCode).toBeNull();
});

test.each([
  ["ends", "await new Promise((done) => process.stdout.write('', done))"],
  ["exits", "process.exit(3)"],
  ["throws", "throw new Error('wanted')"],
])("Postgres does not outlive an owner that %s", async (_how, ending) => {
  const owner = await startOwner(ending);
  await once(owner.process, "close");
  const giveUpAt = Date.now() + 10_000;
  while (await exists(join(directory, "postmaster.pid"))) {
    expect(Date.now()).toBeLessThan(giveUpAt);
    await delay(20);
  }
});

test("a taken port is named as the cause", async () => {
  const first = await start();
  await expect(
    startEmbeddedPostgres({ directory: join(home, "other"), durable: false, port: first.port }),
  ).rejects.toThrow("The port is taken");
});

test("a folder of other files is never turned into a database", async () => {
  const directory = join(home, "others");
  await mkdir(directory);
  await writeFile(join(directory, "letter.txt"), "mine");
  await expect(startEmbeddedPostgres({ directory, durable: false })).rejects.toThrow(
    "holds files but no Postgres data",
  );
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, durable: true });
  running.push(postgres);
  return postgres;
}

/** Another Node process that owns the database, and then goes the way of `ending`. */
async function startOwner(ending: string): Promise<{ process: ChildProcess; url: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(source)};
    const { url } = await startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, durable: true });
    console.log(url);
    ${ending};`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  owners.push(owner);
  const [line] = await once(owner.stdout, "data");
  return { process: owner, url: String(line).trim() };
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(directory, "postmaster.pid"), "utf8"), 10);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  // A killed server drops the connection, which is not this test's failure.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
