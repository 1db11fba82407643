import { until } from "../../../libs/testkit/src/until.ts";
import { type Census, grown, takeCensus } from "../house/census.ts";
import { type House, type Servers, withHouse } from "../house/open-house.ts";
import type { ProcessTold } from "../house/tell-of-process.ts";
import { formatColumns, type Verdict } from "../report/verdict.ts";
import { createChance } from "./chance.ts";
import { openDeaf } from "./deaf.ts";
import { type AfterAll, judgeMalformed } from "./judge-malformed.ts";
import { invitePeople } from "./people.ts";
import { runWave, waveHeadings, waveRow, type WaveSeen } from "./wave.ts";
import { behaveWell } from "./well-behaved.ts";
import { planWaves } from "./waves.ts";

export interface MalformedOptions {
  servers: Servers;
  /** Connections with something wrong on each. */
  requests: number;
  seed: number;
  say: (text: string) => void;
}

const settleMs = 120_000;
const settledLooks = 3;
const warmUpMax = 1_000;
const deafCount = 40;
/** Of one table: a change, what it did besides, and its audit. */
const rowsOfAcceptedMax = 3;

const above = (count: number, more: Record<string, number>) =>
  Object.fromEntries(Object.entries(more).filter(([, rows]) => rows > count));

/** Rows that stay the same for a while: what was asked for before is over. */
const settledCensus = async ({ stores }: House): Promise<Census> => {
  let last = await takeCensus(stores);
  let same = 0;
  await until(
    async () => {
      const now = await takeCensus(stores);
      same = Object.keys(grown(last, now)).length === 0 ? same + 1 : 0;
      last = now;
      return same >= settledLooks;
    },
    { timeoutMs: settleMs, intervalMs: 700, describe: "rows that stay" },
  );
  return last;
};

const tellAll = ({ processes }: House): Promise<ProcessTold[]> =>
  Promise.all(processes.map((own) => own.tell()));

/** How many connections there are more than before, once those that are to end had their time. */
const awaitSockets = async (house: House, before: readonly ProcessTold[]): Promise<number> => {
  // Pools of ours keep what they opened under load for a while.
  const kept = deafCount / 2;
  const more = async () => {
    const now = await tellAll(house);
    return Math.max(...now.map(({ sockets }, index) => sockets - (before[index]?.sockets ?? 0)));
  };
  await until(async () => (await more()) <= kept, {
    timeoutMs: settleMs,
    intervalMs: 1_000,
    describe: "the end of connections",
  }).catch(() => {});
  const left = await more();
  return left <= kept ? 0 : left;
};

const countErrors = ({ processes }: House): string[] =>
  processes.flatMap(({ log }) => log().filter((line) => /"level":(?:50|60)/.test(line)));

const attackAll = async (house: House, options: MalformedOptions) => {
  const { requests: count, seed, say } = options;
  const people = await invitePeople(house);
  const other = await invitePeople(house);
  const well = await behaveWell(house, { cookie: other.cookieOf("user"), key: other.key });
  const seen: WaveSeen[] = [];
  const leftBehind: AfterAll["leftBehind"] = [];
  // What was never done before is compiled and cached first, so that memory is compared with what there is then.
  const warmUp = planWaves({
    house,
    people,
    chance: createChance(seed + 1),
    count: Math.min(count / 4, warmUpMax),
  });
  for (const wave of warmUp.slice(0, -1)) await runWave(wave);
  const before = await tellAll(house);
  for (const wave of planWaves({ house, people, chance: createChance(seed), count })) {
    const census = await settledCensus(house);
    const one = await runWave(wave);
    seen.push(one);
    say(waveRow(one).join("  "));
    for (const fault of one.faults) say(fault);
    const more = grown(census, await settledCensus(house));
    const allowed = wave.leavesNothing === "unless accepted" ? one.accepted * rowsOfAcceptedMax : 0;
    if (wave.leavesNothing) leftBehind.push({ wave: wave.name, more: above(allowed, more) });
    else say(`left by what was accepted: ${JSON.stringify(more)}`);
  }
  const deaf = await openDeaf(house.origin, deafCount);
  const socketsLeft = await awaitSockets(house, before);
  const after = await tellAll(house);
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

/** Sends so many malformed requests to a house of processes, with somebody beside them who does nothing wrong. */
export const runMalformed = (options: MalformedOptions): Promise<Verdict[]> =>
  withHouse(
    {
      servers: options.servers,
      where: "redis",
      configModule: new URL("../../cheap-passwords.config.ts", import.meta.url),
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
    async (house) => {
      const attacked = await attackAll(house, options);
      options.say(`\n${formatColumns([waveHeadings, ...attacked.seen.map(waveRow)])}`);
      const { immortal } = await takeCensus(house.stores);
      return judgeMalformed({
        ...attacked,
        ended: house.processes.filter((own) => !own.isRunning()).map(({ service }) => service),
        errors: countErrors(house),
        immortal,
        names: house.processes.map(({ service }) => service),
      });
    },
  );
