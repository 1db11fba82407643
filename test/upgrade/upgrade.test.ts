import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import {
  type SmtpCatcher,
  startSmtpCatcher,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  until,
} from "@latchkey/testkit";
import pg from "pg";
import { Agent, fetch as fetchBy } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { houseUnderTest } from "../house/house-under-test.ts";
import { runLatchkey } from "../run-latchkey.ts";
import { comeBack, type Doors, isWith, type Kept, live } from "./people.ts";
import { writeHouseEnvironment } from "./release/house-environment.ts";
import { findRelease, unpackRelease } from "./release/release-code.ts";
import { readPeople, restoreRelease } from "./release/restore-release.ts";
import {
  chooseHousePorts,
  createHouse,
  type House,
  type HousePorts,
  originOf,
} from "./release/run-house.ts";

const drainSeconds = 4;
/** Longer than any statement here takes, and shorter than anybody waits for an answer. */
const lockTimeout = "3s";
const phaseMs = 120_000;
/** Between one life, or visit, and the next: services are to be asked all the time, and the machine is not to be full. */
const lifeRestMs = 2_000;
const visitRestMs = 1_000;

const thisHouse = houseUnderTest();

let folder: string;
let before: { root: string; ports: HousePorts; house: House };
let now: { root: string; ports: HousePorts; house: House };
let database: TestDatabase;
let smtp: SmtpCatcher;
let door: TcpProxy;
let keyDoor: TcpProxy;
let doors: Doors;
let environment: Record<string, string>;
let saved: Kept;
/** A balancer keeps what is idle for less long than a gateway that leaves goes on to answer. */
const agent = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });
// Undici's own types of a request and an answer stand for those of the platform, which it implements.
const send = (url: string, init: RequestInit) =>
  fetchBy(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>;

/** What stands before the replicas of a service in production. */
const balance = (service: ServiceName, all: readonly HousePorts[]): Promise<TcpProxy> => {
  const replicas = new Map(all.map((ports) => [originOf(ports[service]), ports[service].internal]));
  const isReady = async (target: string) =>
    (await fetch(`http://127.0.0.1:${replicas.get(target)}/health/ready`)).ok;
  return startTcpProxy({ targets: [...replicas.keys()], isReady });
};

/** As the owner of the database, by the code of a house. */
const migrate = async (house: string): Promise<string> => {
  const { code, stdout, stderr } = await runLatchkey(["migrate"], { folder, environment, house });
  expect([code, stderr.split("\n").filter((line) => line.includes('"level":50'))]).toEqual([0, []]);
  return stdout;
};

beforeAll(async () => {
  const release = await findRelease();
  saved = await readPeople(release);
  folder = await mkdtemp(join(tmpdir(), "latchkey-upgrade-"));
  [database, smtp] = [await restoreRelease(release), await startSmtpCatcher({})];
  // Whoever waits for a lock of a migration for long fails, and is seen.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `alter database ${client.escapeIdentifier(new URL(database.url).pathname.slice(1))} set lock_timeout = '${lockTimeout}'`,
  );
  await client.end();
  const root = await unpackRelease(release);
  const all = [await chooseHousePorts(), await chooseHousePorts()] as const;
  [door, keyDoor] = [await balance("gateway", all), await balance("apikey", all)];
  const given = { databaseUrl: database.url, smtpUrl: smtp.url, baseUrl: door.url };
  environment = await writeHouseEnvironment(folder, given);
  const open = (house: string, ports: HousePorts) => ({
    root: house,
    ports,
    house: createHouse({ house, ports, all, environment, drainSeconds }),
  });
  before = open(root, all[0]);
  now = open(thisHouse, all[1]);
  doors = { url: door.url, keyUrl: keyDoor.url, smtp, send };
});
afterAll(async () => {
  await Promise.all([before?.house.close(), now?.house.close()]);
  await Promise.all([door?.stop(), keyDoor?.stop(), agent.close(), smtp?.stop()]);
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** People who come one after the other, and some who come again and again; what was not done for one of them is kept. */
const startLoad = (stayed: { email: string; browser: Parameters<typeof isWith>[0] }) => {
  const load = { failures: [] as string[], lives: 0, visits: 0, mailed: [] as string[] };
  let isOver = false;
  const repeat = async (work: () => Promise<void>, restMs: number) => {
    while (!isOver) {
      await work().catch((error: unknown) => {
        load.failures.push(String(error));
        isOver = true;
      });
      await delay(restMs);
    }
  };
  const beBorn = async () => {
    await live(doors, `born-${load.lives}`);
    load.lives += 1;
  };
  const visit = async () => {
    await comeBack(doors, saved);
    if (!(await isWith(stayed.browser, stayed.email))) throw new Error("a session is gone");
    load.visits += 1;
  };
  const working = Promise.all([repeat(beBorn, lifeRestMs), repeat(visit, visitRestMs)]);
  return {
    load,
    /** Resolves once whole lives were lived and visits made since, or something failed. */
    goesOn: async () => {
      const { lives, visits } = load;
      // The first of each may have begun before.
      const isDone = () => load.lives > lives + 1 && load.visits > visits + 1;
      await until(() => isDone() || load.failures.length > 0, { timeoutMs: phaseMs });
      expect(load.failures).toEqual([]);
    },
    stop: async () => {
      isOver = true;
      await working;
      return load.failures;
    },
  };
};

type Version = typeof before;

const startAll = async ({ house }: Version) => {
  for (const service of serviceNames) await house.start(service);
};

/** Replaces the services of a version, one after the other, by those of another. */
const replace = async (from: Version, to: Version, order: readonly ServiceName[]) => {
  for (const service of order) {
    await to.house.start(service);
    expect([service, await from.house.end(service)]).toEqual([service, { code: 0, signal: null }]);
  }
};

test(
  "an upgrade under load fails no request: migrations while the release before serves, then its replicas beside new ones, then new ones alone, and back again",
  async () => {
    expect(await migrate(before.root)).not.toMatch(/: \d{4}_/); // the dump is of that release
    await startAll(before);
    await comeBack(doors, saved);
    const running = startLoad(await live(doors, "stayed"));
    await running.goesOn();
    await migrate(thisHouse);
    await running.goesOn();
    // Each before those that ask it, as operators are told.
    await replace(before, now, serviceNames);
    await running.goesOn();
    const born = await live(doors, "of-the-new");
    await replace(now, before, serviceNames.toReversed());
    await running.goesOn();
    await comeBack(doors, born);
    expect(await isWith(born.browser, born.email)).toBe(true);
    expect(await running.stop()).toEqual([]);
    await migrate(before.root);
  },
  10 * phaseMs,
);
