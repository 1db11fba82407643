import { median } from "./statistics.ts";

/** Durations in milliseconds, by kind. */
interface Samples {
  first: number[];
  second: number[];
}
type Kind = keyof Samples;

/** Comparison of two kinds of work that should take the same time. */
export interface Interleaved {
  /** Durations in milliseconds, unordered. */
  samples: Samples;
  /** First kind divided by second: the median over the stretches of the ratio of their medians. */
  ratio: number;
  /** Probability that a sample of the first kind takes longer than one of the second kind of the same stretch. */
  rank: number;
}

/** Short, so that other load on the machine affects both kinds of a stretch. */
const stretchSamples = 30;

const probabilityLarger = ({ first, second }: Samples): number => {
  const larger = first.map((value) => second.filter((other) => value > other).length);
  return larger.reduce((sum, count) => sum + count, 0) / (first.length * second.length);
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const takeStretch = async (run: (kind: Kind) => Promise<void>): Promise<Samples> => {
  const samples: Samples = { first: [], second: [] };
  for (let index = 0; index < stretchSamples; index += 1) {
    const kind = Math.random() < 0.5 ? "first" : "second";
    const begun = performance.now();
    await run(kind);
    samples[kind].push(performance.now() - begun);
  }
  return samples;
};

/**
 * Runs one or the other kind at random, one at a time, so that after-effects of one hit both kinds equally. Runs for some seconds
 * and until there are enough samples.
 */
export const interleave = async (
  run: (kind: Kind) => Promise<void>,
  { seconds, samplesMin }: { seconds: number; samplesMin: number },
): Promise<Interleaved> => {
  const stretches: Samples[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until || stretches.length * stretchSamples < samplesMin) {
    const stretch = await takeStretch(run);
    if (stretch.first.length > 0 && stretch.second.length > 0) stretches.push(stretch);
  }
  return {
    samples: {
      first: stretches.flatMap(({ first }) => first),
      second: stretches.flatMap(({ second }) => second),
    },
    ratio: median(stretches.map(({ first, second }) => median(first) / median(second))),
    rank: mean(stretches.map(probabilityLarger)),
  };
};
