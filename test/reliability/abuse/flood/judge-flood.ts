import type { Verdict } from "../report/verdict.ts";
import { type Flooded, type Mark, rule } from "./flooded.ts";

/**
 * Memory for the gateway's local limit table, which counts even if limits are in a store. It holds 100,000 local and 65,536
 * shared windows at 300 bytes with their keys. Compiled code is included.
 */
const heapGrowthMegabytesMax = 64;
/**
 * A linear search of the table would cost ten times as much at the end. A growth of one half is noise and cache misses of larger
 * tables.
 */
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
  const [start, last] = [marks[0], marks.at(-1)] as [Mark, Mark]; // there are eleven
  const growth = last.heapMegabytes - start.heapMegabytes;
  return {
    what: "the gateway's memory is bounded",
    holds: growth <= heapGrowthMegabytesMax,
    seen: `heap after collection grew by ${growth.toFixed(1)} MB (at most ${heapGrowthMegabytesMax})`,
  };
};

const judgeKnown = ({ probes, fellBack }: Flooded): Verdict[] => {
  // While the store fails, only the gateway counts requests. The store does not learn about them when it is back.
  const more = fellBack ? rule.max : 0;
  const suffix = fellBack ? "; the store failed meanwhile" : "";
  return [
    {
      what: "an address that has used up its limit stays refused",
      holds: probes.spentLetIn === 0 && probes.networkLetIn === 0,
      seen: `allowed ${probes.spentLetIn} times, from other addresses of its /64 ${probes.networkLetIn} times, of ${probes.spentAsked} each${suffix}`,
    },
    {
      what: "an address that sends in between has exactly its limit",
      holds: probes.thriftyLetIn >= rule.max && probes.thriftyLetIn <= rule.max + more,
      seen: `allowed ${probes.thriftyLetIn} times of ${rule.max}${suffix}`,
    },
  ];
};

/** Returns the verdicts on a flood. */
export const judgeFlood = (flooded: Flooded): Verdict[] => {
  const { addresses, letIn, refused, other, immortalKeys, rowsLeft } = flooded;
  return [
    {
      what: "each new address is allowed once",
      holds: letIn === addresses,
      seen: `${letIn} of ${addresses} allowed, ${refused} refused, ${other} answered otherwise`,
    },
    ...judgeKnown(flooded),
    judgeMemory(flooded),
    ...(flooded.judgesCost ? [judgeCost(flooded)] : []),
    {
      what: "no key in Redis is permanent",
      holds: immortalKeys === 0,
      seen: String(immortalKeys),
    },
    {
      what: "rows of expired windows are swept",
      holds: rowsLeft === 0,
      seen: `${rowsLeft} left`,
    },
  ];
};
