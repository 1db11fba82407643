import { until } from "../../../../libs/testkit/src/until.ts";
import { type Census, grown, takeCensus } from "../system/census.ts";
import { type System, type Servers, withSystem } from "../system/open-system.ts";
import type { Measurements } from "../system/report-measurements.ts";
import { formatColumns, type Verdict } from "../report/verdict.ts";
import { createChance } from "./chance.ts";
import { openDeaf } from "./deaf.ts";
import { type AfterAll, judgeMalformed } from "./judge-malformed.ts";
import { inviteUsers } from "./users.ts";
import { runWave, waveHeadings, waveRow, type WaveSeen } from "./wave.ts";
import { behaveWell } from "./well-behaved.ts";
import { planWaves } from "./waves.ts";

export interface MalformedOptions {
  servers: Servers;
  /** Number of connections, each with one malformed request. */
  requests: number;
  seed: number;
  say: (text: string) => void;
}

const settleMs = 120_000;
const settledLooks = 3;
const warmUpMax = 1_000;
const deafCount = 40;
/** Rows per table: the change, its side effect and its audit entry. */
const rowsOfAcceptedMax = 3;

const above = (count: number, more: Record<string, number>) =>
  Object.fromEntries(Object.entries(more).filter(([, rows]) => rows > count));

/** Returns a census once row counts are stable, so that all earlier requests have finished. */
const settledCensus = async ({ stores }: System): Promise<Census> => {
  let last = await takeCensus(stores);
  let same = 0;
  await until(
    async () => {
      const now = await takeCensus(stores);
      same = Object.keys(grown(last, now)).length === 0 ? same + 1 : 0;
      last = now;
      return same >= settledLooks;
    },
    { timeoutMs: settleMs, intervalMs: 200, describe: "rows that stay" },
  );
  return last;
};

const measureAll = ({ processes }: System): Promise<Measurements[]> =>
  Promise.all(processes.map((own) => own.measure()));

/** Returns how many more connections than before are open, after a wait for those that are closing. */
const awaitSockets = async (system: System, before: readonly Measurements[]): Promise<number> => {
  // Our pools keep connections that they opened under load for a while.
  const tolerated = deafCount / 2;
  const more = async () => {
    const now = await measureAll(system);
    return Math.max(...now.map(({ sockets }, index) => sockets - (before[index]?.sockets ?? 0)));
  };
  await until(async () => (await more()) <= tolerated, {
    timeoutMs: settleMs,
    intervalMs: 1_000,
    describe: "the end of connections",
  }).catch(() => {});
  const openCount = await more();
  return openCount <= tolerated ? 0 : openCount;
};

const countErrors = ({ processes }: System): string[] =>
  processes.flatMap(({ log }) => log().filter((line) => /"level":(?:50|60)/.test(line)));

const attackAll = async (system: System, options: MalformedOptions) => {
  const { requests: count, seed, say } = options;
  const people = await inviteUsers(system);
  const other = await inviteUsers(system);
  const well = await behaveWell(system, { cookie: other.cookieOf("user"), key: other.key });
  const seen: WaveSeen[] = [];
  const leftBehind: AfterAll["leftBehind"] = [];
  // Warms up code and caches first, so that the memory comparison starts from a filled state.
  const warmUp = planWaves({
    system,
    people,
    chance: createChance(seed + 1),
    count: Math.min(count / 4, warmUpMax),
  });
  for (const wave of warmUp.slice(0, -1)) await runWave(wave);
  const before = await measureAll(system);
  for (const wave of planWaves({ system, people, chance: createChance(seed), count })) {
    const census = await settledCensus(system);
    const one = await runWave(wave);
    seen.push(one);
    say(waveRow(one).join("  "));
    for (const fault of one.faults) say(fault);
    const more = grown(census, await settledCensus(system));
    const allowed = wave.leavesNothing === "unless accepted" ? one.accepted * rowsOfAcceptedMax : 0;
    if (wave.leavesNothing) leftBehind.push({ wave: wave.name, more: above(allowed, more) });
    else say(`left by what was accepted: ${JSON.stringify(more)}`);
  }
  const deaf = await openDeaf(system.origin, deafCount);
  const socketsLeft = await awaitSockets(system, before);
  const after = await measureAll(system);
  deaf.close();
  return {
    seen,
    leftBehind,
    before,
    after,
    socketsLeft,
    fared: await well.stop(),
  };
};

/** Sends malformed requests to a system of processes while a well-behaved client uses it too. */
export const runMalformed = (options: MalformedOptions): Promise<Verdict[]> =>
  withSystem(
    {
      servers: options.servers,
      where: "redis",
      configModule: new URL("../../../harness/cheap-passwords.config.ts", import.meta.url),
      config: {
        rateLimit: { enabled: false },
        trustedProxies: ["127.0.0.1"],
        session: { cookieCache: { enabled: true } },
        user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
        organization: {
          teams: { enabled: true },
          membershipLimit: 10_000,
          invitationLimit: 10_000,
        },
        apiKey: { enableMetadata: true, rateLimit: { enabled: false } },
      },
    },
    async (system) => {
      const attacked = await attackAll(system, options);
      options.say(`\n${formatColumns([waveHeadings, ...attacked.seen.map(waveRow)])}`);
      const { immortal } = await takeCensus(system.stores);
      return judgeMalformed({
        ...attacked,
        ended: system.processes.filter((own) => !own.isRunning()).map(({ service }) => service),
        errors: countErrors(system),
        immortal,
        names: system.processes.map(({ service }) => service),
      });
    },
  );
