import type { Measurements } from "../system/report-measurements.ts";
import type { Verdict } from "../report/verdict.ts";
import type { WaveSeen } from "./wave.ts";
import type { Fared } from "./well-behaved.ts";

/** All inputs of the verdicts. */
export interface AfterAll {
  seen: readonly WaveSeen[];
  leftBehind: { wave: string; more: Record<string, number> }[];
  /** By process, in the same order as `after`. */
  before: readonly Measurements[];
  after: readonly Measurements[];
  names: readonly string[];
  socketsLeft: number;
  fared: Fared;
  /** Names of processes that have exited. */
  ended: readonly string[];
  /** Log lines with level error or fatal. */
  errors: readonly string[];
  immortal: readonly string[];
}

/**
 * Bounded caches fill up: tokens, cached sessions, user revisions and compiled code. A leak per request would be hundreds of
 * megabytes.
 */
const heapGrowthMegabytesMax = 32;
/** Long enough for a machine that runs other work. A client that is locked out waits forever. */
const wellBehavedMsMax = 60_000;

const judgeMemory = ({ before, after, names }: AfterAll): Verdict => {
  const growths = after.map(({ heapMegabytes, externalMegabytes }, index) => {
    const then = before[index];
    return (
      heapMegabytes +
      externalMegabytes -
      (then?.heapMegabytes ?? 0) -
      (then?.externalMegabytes ?? 0)
    );
  });
  return {
    what: "memory is released",
    holds: growths.every((growth) => growth <= heapGrowthMegabytesMax),
    seen: `MB more after collection (at most ${heapGrowthMegabytesMax}): ${names.map((name, index) => `${name} ${growths[index]?.toFixed(1)}`).join(", ")}`,
  };
};

const judgeServed = ({ fared }: AfterAll): Verdict => ({
  what: "a well-behaved client is always served",
  holds: fared.asked > 0 && fared.served === fared.asked && fared.longestMs < wellBehavedMsMax,
  seen: `${fared.served} of ${fared.asked}, the longest in ${fared.longestMs.toFixed(0)} ms ${fared.failures.slice(0, 3).join("; ")}`,
});

/** Returns the verdicts after all waves. */
export const judgeMalformed = (all: AfterAll): Verdict[] => {
  const total = (countOf: (seen: WaveSeen) => number) =>
    all.seen.reduce((sum, seen) => sum + countOf(seen), 0);
  const leftovers = all.leftBehind.filter(({ more }) => Object.keys(more).length > 0);
  return [
    {
      what: "every connection is answered as documented or ended in time",
      holds: total(({ faultCount }) => faultCount) === 0,
      seen: `${total(({ faultCount }) => faultCount)} of ${total(({ requests }) => requests)} were not; ${total(({ overloaded }) => overloaded)} with 503 for overload`,
    },
    {
      what: "no process exits",
      holds: all.ended.length === 0,
      seen: all.ended.join(", ") || "none did",
    },
    {
      what: "no process logs an error",
      holds: all.errors.length === 0,
      seen: `${all.errors.length} lines ${all.errors.slice(0, 3).join("\n")}`,
    },
    judgeServed(all),
    judgeMemory(all),
    {
      what: "no connection is left open, even to clients that read nothing",
      holds: all.socketsLeft === 0,
      seen: `${all.socketsLeft} more than before`,
    },
    {
      what: "refused requests leave no row and no key",
      holds: leftovers.length === 0,
      seen: leftovers.length === 0 ? "nothing" : JSON.stringify(leftovers),
    },
    {
      what: "no key in Redis is permanent",
      holds: all.immortal.length === 0,
      seen: all.immortal.slice(0, 3).join(", ") || "none",
    },
  ];
};
