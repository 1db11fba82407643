import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import type { Run } from "./load.ts";
import { profileDuring } from "./profile.ts";
import { median, quantile } from "./statistics.ts";

/** One of two sides of a comparison: the process and its load. */
export interface Side {
  child: Child;
  run: (seconds: number) => Promise<Run>;
}

/** Medians over the rounds. */
export interface Figures {
  perSecond: number;
  cpuMicroseconds: number;
  p50: number;
  p99: number;
}

export interface Comparison {
  ours: Figures;
  floor: Figures;
  /** Our throughput divided by the floor's, in each round. */
  throughputRatio: number;
  cpuRatio: number;
}

const measureRound = async ({ child, run }: Side, seconds: number): Promise<Figures> => {
  const before = await child.cpuMicroseconds();
  const done = await run(seconds);
  const used = (await child.cpuMicroseconds()) - before;
  return {
    perSecond: done.count / done.seconds,
    cpuMicroseconds: used / done.count,
    p50: quantile(done.latencies, 0.5),
    p99: quantile(done.latencies, 0.99),
  };
};

const medians = (rounds: readonly Figures[]): Figures => ({
  perSecond: median(rounds.map((round) => round.perSecond)),
  cpuMicroseconds: median(rounds.map((round) => round.cpuMicroseconds)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
});

const describe = (name: string, { perSecond, cpuMicroseconds, p50, p99 }: Figures): string =>
  `${name.padEnd(6)}${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s` +
  `  cpu ${cpuMicroseconds.toFixed(0)} µs  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`;

type Rounds = Record<"ours" | "floor", Figures[]>;

/** Alternates between the sides, so that other load on the machine affects both. */
const takeTurns = async (
  { options: { roundSeconds, rounds } }: Bench,
  sides: { ours: Side; floor: Side },
): Promise<Rounds> => {
  const samples: Rounds = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ["ours", "floor"] as const)
      samples[name].push(await measureRound(sides[name], roundSeconds));
  return samples;
};

/** Runs all rounds of one side before those of the other, because both may be in one process. */
const profileEach = async (bench: Bench, sides: { ours: Side; floor: Side }): Promise<Rounds> => {
  const { roundSeconds, rounds } = bench.options;
  const samples: Rounds = { ours: [], floor: [] };
  for (const name of ["ours", "floor"] as const)
    await profileDuring(bench, { name, child: sides[name].child }, async () => {
      for (let round = 0; round < rounds; round += 1)
        samples[name].push(await measureRound(sides[name], roundSeconds));
    });
  return samples;
};

/** Compares the sides. Takes profiles if requested, which distort the results. */
export const compare = async (
  bench: Bench,
  sides: { ours: Side; floor: Side },
): Promise<Comparison> => {
  const { warmUpSeconds, profile } = bench.options;
  for (const side of [sides.ours, sides.floor]) await side.run(warmUpSeconds);
  const { ours, floor } = await (profile ? profileEach : takeTurns)(bench, sides);
  const ratios = (figure: keyof Figures) =>
    ours.map((round, index) => round[figure] / (floor[index]?.[figure] ?? Number.NaN));
  const result = {
    ours: medians(ours),
    floor: medians(floor),
    throughputRatio: median(ratios("perSecond")),
    cpuRatio: median(ratios("cpuMicroseconds")),
  };
  bench.say(`  ${describe("ours", result.ours)}\n  ${describe("floor", result.floor)}`);
  return result;
};
