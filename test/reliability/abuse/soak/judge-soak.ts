import { quantile } from "../../../bench/harness/statistics.ts";
import type { Verdict } from "../report/verdict.ts";
import type { Look } from "./look.ts";
import type { Stretch } from "./paced-load.ts";
import { slope } from "./slope.ts";

/** A period of load, and the measurements after it. */
export interface Moment {
  stretch: Stretch;
  look: Look;
}

export interface Soaked {
  moments: readonly Moment[];
  judgesCourse: boolean;
  outboxIsDrained: boolean;
  ended: readonly string[];
  errors: readonly string[];
}

/** Excludes the first third, in which code is compiled and pools are filled. */
const warmUpShare = 1 / 3;
/**
 * A leak of 100 bytes for each of 100 requests a second is 0.6 MB a minute. Garbage collection noise accounts for half of that
 * over six minutes. At the bound, a process would take 17 hours to double.
 */
const heapSlopeMax = 0.3;
/**
 * The allocator keeps the maximum that it needed, in steps of some megabytes. A real leak shows in the heap or here within
 * minutes.
 */
const residentSlopeMax = 3;
/**
 * Queue lengths vary at 70 % of capacity, because passwords take 70 ms each. Thirds of a run differ by one half, but not by a
 * factor of two.
 */
const p99GrowthMax = 2;
const postgresConnectionsMax = 60;
const deadRowsMax = 200_000;
const outboxRowsMax = 2_000;
/** BullMQ keeps 10,000 completed messages of each queue. */
const busKeysMax = 200_000;

const judgeSlopes = (moments: readonly Moment[]): Verdict[] => {
  const after = moments.slice(Math.floor(moments.length * warmUpShare));
  const names = Object.keys(moments[0]?.look.measurements ?? {});
  const judge = (what: "heapMegabytes" | "residentMegabytes", max: number): Verdict => {
    const slopes = names.map((name) =>
      slope(after.map(({ look }) => [look.minutes, look.measurements[name]?.[what] ?? 0] as const)),
    );
    return {
      what: `${what === "heapMegabytes" ? "heap after collection" : "resident memory"} is flat after warm-up`,
      holds: slopes.every((one) => one <= max),
      seen: `MB a minute (at most ${max}): ${names.map((name, index) => `${name} ${slopes[index]?.toFixed(2)}`).join(", ")}`,
    };
  };
  return [judge("heapMegabytes", heapSlopeMax), judge("residentMegabytes", residentSlopeMax)];
};

const judgeThirds = (moments: readonly Moment[]): Verdict => {
  const size = Math.max(1, Math.floor(moments.length / 3));
  const p99s = [0, 1, 2].map((third) =>
    quantile(
      moments
        .slice(third * size, (third + 1) * size)
        .flatMap(({ stretch }) => Object.values(stretch.latencies).flat()),
      0.99,
    ),
  );
  const [, second = 0, last = 0] = p99s;
  return {
    what: "p99 is steady",
    holds: last <= second * p99GrowthMax,
    seen: `ms by thirds: ${p99s.map((ms) => ms.toFixed(0)).join(", ")} (the last at most ${p99GrowthMax} of the second)`,
  };
};

const judgeBounds = (moments: readonly Moment[]): Verdict[] => {
  const most = (of: (moment: Moment) => number) => Math.max(...moments.map(of));
  const bound = (what: string, seen: number, max: number): Verdict => ({
    what,
    holds: seen <= max,
    seen: `${seen} at most, of ${max}`,
  });
  return [
    bound(
      "no key in Redis lives for ever",
      most(({ look }) => look.immortalKeys),
      0,
    ),
    bound(
      "connections to Postgres are bounded",
      most(({ look }) => look.postgresConnections),
      postgresConnectionsMax,
    ),
    bound(
      "dead rows are bounded",
      most(({ look }) => look.deadRows),
      deadRowsMax,
    ),
    bound(
      "events that wait are bounded",
      most(({ look }) => look.outboxRows),
      outboxRowsMax,
    ),
    bound(
      "keys of the bus are bounded",
      most(({ look }) => look.busKeys),
      busKeysMax,
    ),
  ];
};

/** Returns the verdicts on a soak. */
export const judgeSoak = ({
  moments,
  judgesCourse,
  outboxIsDrained,
  ended,
  errors,
}: Soaked): Verdict[] => {
  const wrong = moments.flatMap(({ stretch }) => stretch.wrong);
  const right = moments.reduce((sum, { stretch }) => sum + stretch.right, 0);
  const overloaded = moments.reduce((sum, { stretch }) => sum + stretch.overloaded, 0);
  return [
    {
      what: "every answer is correct",
      holds: right > 0 && wrong.length === 0,
      seen: `${right} right, ${overloaded} with 503 for overload, ${wrong.length} wrong ${wrong.slice(0, 3).join("; ")}`,
    },
    { what: "no process exits", holds: ended.length === 0, seen: ended.join(", ") || "none did" },
    {
      what: "no process logs an error",
      holds: errors.length === 0,
      seen: `${errors.length} lines ${errors.slice(0, 3).join("\n")}`,
    },
    {
      what: "events are consumed soon after",
      holds: outboxIsDrained,
      seen: outboxIsDrained ? "all" : "not within a minute",
    },
    ...judgeBounds(moments),
    ...(judgesCourse ? [...judgeSlopes(moments), judgeThirds(moments)] : []),
  ];
};
