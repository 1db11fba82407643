import type { ProcessTold } from "../house/tell-of-process.ts";
import type { Verdict } from "../report/verdict.ts";
import type { WaveSeen } from "./wave.ts";
import type { Fared } from "./well-behaved.ts";

/** Everything that a verdict is made of. */
export interface AfterAll {
  seen: readonly WaveSeen[];
  leftBehind: { wave: string; more: Record<string, number> }[];
  /** By process, in one order. */
  before: readonly ProcessTold[];
  after: readonly ProcessTold[];
  names: readonly string[];
  socketsLeft: number;
  fared: Fared;
  /** Processes that are gone. */
  ended: readonly string[];
  /** Lines of logs that tell of an error. */
  errors: readonly string[];
  immortal: readonly string[];
}

/** Bounded caches fill: of tokens, copies, epochs and compiled code. What grew with each request would be hundreds. */
const heapGrowthMegabytesMax = 32;
/** Long enough for a machine that others keep busy; a client that was shut out waits for ever. */
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
    what: "memory is given back",
    holds: growths.every((growth) => growth <= heapGrowthMegabytesMax),
    seen: `MB more after collection (at most ${heapGrowthMegabytesMax}): ${names.map((name, index) => `${name} ${growths[index]?.toFixed(1)}`).join(", ")}`,
  };
};

const judgeServed = ({ fared }: AfterAll): Verdict => ({
  what: "who behaves well is served all the time",
  holds: fared.asked > 0 && fared.served === fared.asked && fared.longestMs < wellBehavedMsMax,
  seen: `${fared.served} of ${fared.asked}, the longest in ${fared.longestMs.toFixed(0)} ms ${fared.failures.slice(0, 3).join("; ")}`,
});

/** What must hold after all waves. */
export const judgeMalformed = (all: AfterAll): Verdict[] => {
  const total = (of: (seen: WaveSeen) => number) =>
    all.seen.reduce((sum, seen) => sum + of(seen), 0);
  const left = all.leftBehind.filter(({ more }) => Object.keys(more).length > 0);
  return [
    {
      what: "every connection is answered as documented or ended in time",
      holds: total(({ faultCount }) => faultCount) === 0,
      seen: `${total(({ faultCount }) => faultCount)} of ${total(({ requests }) => requests)} were not; ${total(({ overloaded }) => overloaded)} told of overload`,
    },
    {
      what: "no process ends",
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
      what: "no connection is left open, also by who reads nothing",
      holds: all.socketsLeft === 0,
      seen: `${all.socketsLeft} more than before`,
    },
    {
      what: "what is refused leaves no row and no key",
      holds: left.length === 0,
      seen: left.length === 0 ? "nothing" : JSON.stringify(left),
    },
    {
      what: "no key in Redis lives for ever",
      holds: all.immortal.length === 0,
      seen: all.immortal.slice(0, 3).join(", ") || "none",
    },
  ];
};
