import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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
import { bundleSystem } from "../../harness/build-system.ts";
import { systemUnderTest } from "../../harness/system-under-test.ts";
import { runLatchkey } from "../../harness/run-latchkey.ts";
import { comeBack, type Addresses, isWith, type Kept, live } from "./users.ts";
import { writeSystemEnvironment } from "./release/system-environment.ts";
import { commandOf, findRelease, unpackRelease } from "./release/release-code.ts";
import { readUsers, restoreRelease } from "./release/restore-release.ts";
import {
  chooseSystemPorts,
  createSystem,
  type System,
  type SystemPorts,
  originOf,
} from "./release/run-system.ts";

const drainSeconds = 2;
/** Longer than any statement here takes, and shorter than a client's timeout. */
const lockTimeout = "3s";
const phaseMs = 120_000;
/** The pause between two rounds: services should get requests continuously without overloading the machine. */
const lifeRestMs = 500;
const visitRestMs = 500;

const thisSystem = systemUnderTest();

let folder: string;
let bundled: Awaited<ReturnType<typeof bundleSystem>>;
/** `services` are those that the version has: a newer one may have more. */
interface Version {
  root: string;
  ports: SystemPorts;
  services: ReadonlySet<string>;
  system: System;
}
let before: Version;
let now: Version;
let database: TestDatabase;
let smtp: SmtpCatcher;
let proxy: TcpProxy;
let keyProxy: TcpProxy;
let addresses: Addresses;
let environment: Record<string, string>;
let saved: Kept;
/** Closes idle connections earlier than a gateway that shuts down, as a load balancer does. */
const agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
// Undici's request and response types implement those of the platform, but TypeScript does not know.
const send = (url: string, init: RequestInit) =>
  fetchBy(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>;

/** Starts the load balancer of a service's replicas. */
const balance = (service: ServiceName, all: readonly SystemPorts[]): Promise<TcpProxy> => {
  const replicas = new Map(all.map((ports) => [originOf(ports[service]), ports[service].internal]));
  const isReady = async (target: string) =>
    (await fetch(`http://127.0.0.1:${replicas.get(target)}/health/ready`)).ok;
  return startTcpProxy({ targets: [...replicas.keys()], isReady });
};

/** Migrates as the owner of the database, with the code of a system. */
const migrate = async (system: string): Promise<string> => {
  const script = await commandOf(system);
  const { code, stdout, stderr } = await runLatchkey(["migrate"], { folder, environment, script });
  expect([code, stderr.split("\n").filter((line) => line.includes('"level":50'))]).toEqual([0, []]);
  return stdout;
};

beforeAll(async () => {
  const release = await findRelease();
  saved = await readUsers(release);
  folder = await mkdtemp(join(tmpdir(), "latchkey-upgrade-"));
  [database, smtp] = [await restoreRelease(release), await startSmtpCatcher({})];
  // Makes a statement fail visibly if it waits too long for a lock of a migration.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `alter database ${client.escapeIdentifier(new URL(database.url).pathname.slice(1))} set lock_timeout = '${lockTimeout}'`,
  );
  await client.end();
  const root = await unpackRelease(release);
  // Like the code under test, the release starts in a third of the time if it is bundled.
  const released = await readdir(join(root, "services"));
  bundled = await bundleSystem(root, [
    relative(root, await commandOf(root)),
    ...released.map((service) => `services/${service}/src/main.ts`),
  ]);
  const all = [await chooseSystemPorts(), await chooseSystemPorts()] as const;
  [proxy, keyProxy] = [await balance("gateway", all), await balance("apikey", all)];
  const urls = { databaseUrl: database.url, smtpUrl: smtp.url, baseUrl: proxy.url };
  environment = await writeSystemEnvironment(folder, urls);
  const open = (system: string, ports: SystemPorts, services: readonly string[]): Version => ({
    root: system,
    ports,
    services: new Set(services),
    system: createSystem({ system, ports, all, environment, drainSeconds }),
  });
  before = open(bundled.folder, all[0], released);
  now = open(thisSystem, all[1], serviceNames);
  addresses = { url: proxy.url, keyUrl: keyProxy.url, smtp, send };
});
afterAll(async () => {
  await Promise.all([before?.system.close(), now?.system.close()]);
  await Promise.all([proxy?.stop(), keyProxy?.stop(), agent.close(), smtp?.stop()]);
  await database?.drop();
  await Promise.all([bundled?.remove(), rm(folder, { recursive: true, force: true })]);
});

/** Creates new users one after the other, and lets existing users return repeatedly. Records failures. */
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
    await live(addresses, `born-${load.lives}`);
    load.lives += 1;
  };
  const visit = async () => {
    await comeBack(addresses, saved);
    if (!(await isWith(stayed.browser, stayed.email))) throw new Error("a session was lost");
    load.visits += 1;
  };
  const working = Promise.all([repeat(beBorn, lifeRestMs), repeat(visit, visitRestMs)]);
  return {
    load,
    /** Resolves after complete rounds since the call, or on a failure. */
    goesOn: async () => {
      const { lives, visits } = load;
      // The first of each may have started before the call.
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

const startAll = async ({ system, services }: Version) => {
  for (const service of serviceNames) if (services.has(service)) await system.start(service);
};

/** Replaces the services of one version by those of another, one after the other. */
const replace = async (from: Version, to: Version, order: readonly ServiceName[]) => {
  for (const service of order) {
    if (to.services.has(service)) await to.system.start(service);
    if (!from.services.has(service)) continue;
    expect([service, await from.system.end(service)]).toEqual([service, { code: 0, signal: null }]);
  }
};

test(
  "an upgrade under load and its rollback fail no request, from migrations under the old release to new replicas only",
  async () => {
    expect(await migrate(before.root)).not.toMatch(/: \d{4}_/); // the dump has all migrations of that release
    await startAll(before);
    await comeBack(addresses, saved);
    const running = startLoad(await live(addresses, "stayed"));
    await running.goesOn();
    await migrate(thisSystem);
    await running.goesOn();
    // Each service before its callers, as documented for operators.
    await replace(before, now, serviceNames);
    await running.goesOn();
    const born = await live(addresses, "of-the-new");
    await replace(now, before, serviceNames.toReversed());
    await running.goesOn();
    await comeBack(addresses, born);
    expect(await isWith(born.browser, born.email)).toBe(true);
    expect(await running.stop()).toEqual([]);
    await migrate(before.root);
  },
  10 * phaseMs,
);
