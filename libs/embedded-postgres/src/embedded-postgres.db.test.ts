import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from "./embedded-postgres.ts";
import { locateData } from "./reach.ts";

const source = new URL("embedded-postgres.ts", import.meta.url).href;
const run = promisify(execFile);
/** A stopped database. Tests that are not about its creation start copies, because creating one takes a second. */
let created: string;
let home: string;
let directory: string;
const running: EmbeddedPostgres[] = [];
const owners: ChildProcess[] = [];

const createHome = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "embedded-"));
  // Under root, the postgres account must be able to enter.
  await chmod(folder, 0o755);
  return folder;
};

beforeAll(async () => {
  created = join(await createHome(), "postgres");
  await (await startEmbeddedPostgres({ directory: created, durable: false })).stop();
});

afterAll(() => rm(dirname(created), { recursive: true, force: true }));

beforeEach(async () => {
  home = await createHome();
  directory = join(home, "postgres");
});

/** Copies the created database to `directory`, with the owner of its files. */
const copyCreated = async (): Promise<void> => {
  for (const suffix of ["", ".password"])
    await run("cp", ["-a", `${created}${suffix}`, `${directory}${suffix}`]);
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
  await rm(home, { recursive: true, force: true });
});

test("keeps data and password across a restart, with the password readable only by its owner", async () => {
  const first = await start();
  expect(first.alreadyInitialised).toBe(false);
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await start();
  expect(second.alreadyInitialised).toBe(true);
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  expect((await stat(`${directory}.password`)).mode & 0o777).toBe(0o600);
});

test("rejects a wrong or missing password", async () => {
  await copyCreated();
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

test("keeps a commit after kill -9 of Postgres", async () => {
  await copyCreated();
  const first = await start();
  await query(first.url, "create table kept as select 42 as answer");
  const killed = await postmasterPid();
  process.kill(killed, "SIGKILL");
  await until(() => isGone(killed));
  const second = await start();
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("replaces the orphan after kill -9 of its owner and keeps its commits", async () => {
  await copyCreated();
  const owner = await startOwner("setInterval(() => undefined, 1000)");
  await query(owner.url, "create table kept as select 42 as answer");
  const orphan = await postmasterPid();
  owner.process.kill("SIGKILL");
  await once(owner.process, "exit");
  const next = await start();
  expect(await postmasterPid()).not.toBe(orphan);
  expect(await query(next.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("rejects a directory whose owner is alive", async () => {
  await copyCreated();
  const first = await start();
  await expect(start()).rejects.toThrow(`in use by process ${process.pid}`);
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("starts despite a lock file whose pid belongs to another process", async () => {
  await copyCreated();
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
])("stops Postgres with an owner that %s", async (_how, ending) => {
  await copyCreated();
  const owner = await startOwner(ending);
  await once(owner.process, "close");
  const giveUpAt = Date.now() + 10_000;
  while (await exists(join(directory, "postmaster.pid"))) {
    expect(Date.now()).toBeLessThan(giveUpAt);
    await delay(20);
  }
});

/** Under root, Postgres runs as an account that cannot enter such a folder, just like /root. */
test("stores data for a folder that only its owner may enter", async () => {
  await chmod(home, 0o700);
  const outside = await mkdtemp(join(tmpdir(), "outside-"));
  await chmod(outside, 0o711);
  const startClosed = async (folder = home) => {
    const options = { directory: join(folder, "postgres"), durable: false, outside };
    const postgres = await startEmbeddedPostgres(options);
    running.push(postgres);
    return postgres;
  };
  try {
    const first = await startClosed();
    await query(first.url, "create table kept as select 42 as answer");
    expect(await findEmbeddedPostgres(directory)).toEqual({
      url: first.url,
      directory: first.directory,
    });
    expect((await stat(first.directory)).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await startClosed();
    expect([second.alreadyInitialised, second.directory]).toEqual([true, first.directory]);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    await second.stop();
    const other = join(home, "other");
    await mkdir(other);
    expect((await startClosed(other)).directory).not.toBe(first.directory);
  } finally {
    await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
    await rm(outside, { recursive: true });
  }
});

test("rejects a copied folder that would share its original's database", async () => {
  const outside = join(home, "outside", "data-a");
  await mkdir(outside, { recursive: true });
  const target = join(outside, "postgres");
  await writeFile(join(outside, "owner"), `${directory}\n`);
  await symlink(target, directory);
  const copy = join(home, "copy");
  await symlink(target, copy);
  expect(await locateData(directory)).toBe(target);
  await expect(locateData(copy)).rejects.toThrow(`${copy} is a copy of ${directory}`);
  await rm(directory);
  expect(await locateData(copy)).toBe(target);
  expect(await readFile(join(outside, "owner"), "utf8")).toBe(`${copy}\n`);
});

test("rejects a link to deleted data", async () => {
  await symlink(join(home, "gone", "postgres"), directory);
  await expect(start()).rejects.toThrow("which no longer exists");
});

test("removes the partial data of a killed first start", async () => {
  await mkdir(`${directory}.new-Ab12Cd`);
  await writeFile(join(`${directory}.new-Ab12Cd`, "PG_VERSION"), "18");
  await writeFile(`${directory}.password`, "");
  const { url } = await start();
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect((await readdir(home)).toSorted()).toEqual(["postgres", "postgres.password"]);
});

test("reports a port that is in use", async () => {
  await copyCreated();
  const first = await start();
  await expect(
    startEmbeddedPostgres({ directory: join(home, "other"), durable: false, port: first.port }),
  ).rejects.toThrow("The port is in use");
});

test("rejects a folder with other files", async () => {
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

/** Starts another Node process that owns the database and then runs `ending`. */
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
  // A killed server drops the connection, which must not fail the test.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
