import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readSettings } from "@latchkey/service-kit/config";
import { createTestDatabase, startBackends, startRedisServer } from "@latchkey/testkit";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { anyPort } from "../harness/any-port.ts";
import { childEnvironment } from "../harness/child-environment.ts";
import { latchkeyScript } from "../harness/run-latchkey.ts";
import { insertUsers } from "./insert-users.ts";

const secret = "a secret of an installation that is measured";
const mebibyte = 1_048_576;
const sampleMilliseconds = 50;
/** Makes garbage collection run early, and ends the process if it holds too many rows. */
const heapMebibytes = 128;

/** The cost of a command. */
export interface MeasuredCommand {
  people: number;
  command: string;
  /** The peak memory in MiB. */
  peakMebibytes: number;
  seconds: number;
  fileMebibytes: number;
}

/** Returns the peak memory of a process, or undefined if it has ended. */
const peakOf = async (pid: number | undefined): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
};

const runMeasured = async (args: string[], environment: Record<string, string>) => {
  const begun = performance.now();
  const flags = [`--max-old-space-size=${heapMebibytes}`];
  const child = spawn(process.execPath, [...flags, latchkeyScript(), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...childEnvironment(), ...environment },
  });
  let peak = 0;
  const timer = setInterval(() => {
    peakOf(child.pid).then(
      (now) => (peak = Math.max(peak, now ?? 0)),
      () => {},
    );
  }, sampleMilliseconds);
  const said = text(child.stderr);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${await said}`);
  return { peakMebibytes: peak, seconds: (performance.now() - begun) / 1_000 };
};

/** Exports users from Postgres and imports them, with their sessions into Redis. */
const measure = async (baseUrl: string, people: number): Promise<MeasuredCommand[]> => {
  const template = { name: "empty", hash: "empty", build: async () => {} };
  const [from, to] = [
    await createTestDatabase({ baseUrl, template }),
    await createTestDatabase({ baseUrl, template }),
  ];
  const redis = await startRedisServer();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-memory-"));
  const file = join(folder, "export.jsonl");
  try {
    await migrateAll(readSettings({ secret: [secret], databaseUrl: from.url }, anyPort));
    await insertUsers({ databaseUrl: from.url }, people);
    const configured = { AUTH_SECRET: secret };
    const written = await runMeasured(["export", "all", "--out", file], {
      ...configured,
      DATABASE_URL: from.url,
    });
    const read = await runMeasured(["import", "latchkey", "--from", file], {
      ...configured,
      DATABASE_URL: to.url,
      REDIS_URL: redis.url,
    });
    const source = { people, fileMebibytes: (await stat(file)).size / mebibyte };
    return [
      { ...source, command: "export all", ...written },
      { ...source, command: "import latchkey", ...read },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await redis.stop();
    await from.drop();
    await to.drop();
  }
};

/** Measures the commands for several numbers of users, one after the other. */
export const measureMemory = async (counts: readonly number[]): Promise<MeasuredCommand[]> => {
  const backends = await startBackends();
  try {
    const measured: MeasuredCommand[] = [];
    for (const people of counts) measured.push(...(await measure(backends.databaseUrl, people)));
    return measured;
  } finally {
    await backends.stop();
  }
};
