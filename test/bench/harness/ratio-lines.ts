import type { Comparison } from "./compare.ts";
import type { Bar, Line } from "./row.ts";

const rate = (perSecond: number) => `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s`;

/** Throughput must be at least `min` times that of the floor. Without `min` it is only reported. */
export const throughputLine = (
  path: string,
  { ours, floor, throughputRatio: ratio }: Comparison,
  min?: number,
): Line => ({
  path: `${path}: throughput`,
  ours: rate(ours.perSecond),
  floor: rate(floor.perSecond),
  ratio: ratio.toFixed(2),
  bar: { kind: "floor", value: ratio, ...(min !== undefined && { budget: min }) },
  ...(min === undefined ? { budget: "-" } : { budget: `>= ${min}`, met: ratio >= min }),
});

/** CPU time per request must be at most `max` times that of the floor. Without `max` it is only reported. */
export const cpuLine = (
  path: string,
  { ours, floor, cpuRatio: ratio }: Comparison,
  max?: number,
): Line => ({
  path: `${path}: CPU a request`,
  ours: `${ours.cpuMicroseconds.toFixed(0)} µs`,
  floor: `${floor.cpuMicroseconds.toFixed(0)} µs`,
  ratio: ratio.toFixed(2),
  ...(max === undefined ? { budget: "-" } : { budget: `<= ${max}`, met: ratio <= max }),
});

/** CPU time of an operation per request must be at most `max` times that of get-session. Without `max` it is only reported. */
export const sessionLine = (path: string, comparison: Comparison, max?: number): Line => ({
  ...cpuLine(path, comparison, max),
  bar: {
    kind: "session",
    value: comparison.cpuRatio,
    ...(max !== undefined && { budget: max }),
  },
});

/** Compares with another product. Throughput must be at least `min` times that of the peer. Without `min` it is only reported. */
export const peerLines = (path: string, comparison: Comparison, min?: number): Line[] => {
  const { throughputRatio, cpuRatio } = comparison;
  const bar: Bar = {
    kind: "peer",
    value: throughputRatio,
    ...(min !== undefined && { budget: min }),
  };
  return [
    { ...throughputLine(path, comparison, min), bar, peerIsBetter: throughputRatio < 1 },
    { ...cpuLine(path, comparison), peerIsBetter: cpuRatio > 1 },
  ];
};
