import type { Verdict } from "../report/verdict.ts";
import { type Flooded, type Mark, rule } from "./flooded.ts";

/**
 * The table of limits in memory, which counts along where others keep the counts: 100,000 windows of their own and 65,536 shared
 * ones, at 300 bytes with their keys, and what compiled code takes.
 */
const heapGrowthMegabytesMax = 64;
/** A search of the table would cost ten times as much at its end. Half as much more is noise and larger tables' missed caches. */
const costGrowthMax = 1.5;

const costOf = (from: Mark, to: Mark): number =>
  (to.cpuSeconds + to.storeCpuSeconds - from.cpuSeconds - from.storeCpuSeconds) /
  (to.addresses - from.addresses);

const judgeCost = ({ marks }: Flooded): Verdict => {
  const [start, first] = marks as [Mark, Mark]; // there are eleven
  const [beforeLast, last] = marks.slice(-2) as [Mark, Mark];
  const growth = costOf(beforeLast, last) / costOf(start, first);
  return {
    what: "a decision costs no more at the end",
    holds: growth <= costGrowthMax,
    seen: `CPU of gateway and store, last tenth against first: ${growth.toFixed(2)} (at most ${costGrowthMax})`,
  };
};

const judgeMemory = ({ marks }: Flooded): Verdict => {
  const [start, last] = [marks[0], marks.at(-1)] as [Mark, Mark]; // as above
  const growth = last.heapMegabytes - start.heapMegabytes;
  return {
    what: "the gateway's memory is bounded",
    holds: growth <= heapGrowthMegabytesMax,
    seen: `heap after collection grew by ${growth.toFixed(1)} MB (at most ${heapGrowthMegabytesMax})`,
  };
};

const judgeKnown = ({ known, fellBack }: Flooded): Verdict[] => {
  // What is let in while the store fails is counted by the gateway alone, and the store knows nothing of it once it is back.
  const more = fellBack ? rule.max : 0;
  const note = fellBack ? "; the store failed meanwhile" : "";
  return [
    {
      what: "whoever had spent the limit stays refused",
      holds: known.spentLetIn === 0 && known.networkLetIn === 0,
      seen: `let in ${known.spentLetIn} times, by other addresses of its /64 ${known.networkLetIn} times, of ${known.spentAsked} each${note}`,
    },
    {
      what: "whoever asks in between has exactly the limit",
      holds: known.thriftyLetIn >= rule.max && known.thriftyLetIn <= rule.max + more,
      seen: `let in ${known.thriftyLetIn} times of ${rule.max}${note}`,
    },
  ];
};

/** What must hold of a flood. */
export const judgeFlood = (flooded: Flooded): Verdict[] => {
  const { addresses, letIn, refused, other, immortalKeys, rowsLeft } = flooded;
  return [
    {
      what: "each new address is let in once",
      holds: letIn === addresses,
      seen: `${letIn} of ${addresses} let in, ${refused} refused, ${other} answered otherwise`,
    },
    ...judgeKnown(flooded),
    judgeMemory(flooded),
    ...(flooded.judgesCost ? [judgeCost(flooded)] : []),
    {
      what: "no key in Redis lives for ever",
      holds: immortalKeys === 0,
      seen: String(immortalKeys),
    },
    {
      what: "rows of windows that are over are swept",
      holds: rowsLeft === 0,
      seen: `${rowsLeft} left`,
    },
  ];
};
