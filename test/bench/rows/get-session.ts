import type { Bench } from "../harness/bench.ts";
import type { Comparison } from "../harness/compare.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Line } from "../harness/row.ts";
import { compareWithFloor, type Where } from "./against-floor.ts";

const throughputMin = 0.6;
const cpuMax = 1.6;

const linesOf = (where: Where, { ours, floor, throughputRatio, cpuRatio }: Comparison): Line[] => [
  {
    path: `GET /get-session, ${where}: throughput`,
    ours: `${ours.perSecond.toFixed(0)}/s`,
    floor: `${floor.perSecond.toFixed(0)}/s`,
    ratio: throughputRatio.toFixed(2),
    budget: `>= ${throughputMin}`,
    met: throughputRatio >= throughputMin,
  },
  {
    path: `GET /get-session, ${where}: CPU a request`,
    ours: `${ours.cpuMicroseconds.toFixed(0)} µs`,
    floor: `${floor.cpuMicroseconds.toFixed(0)} µs`,
    ratio: cpuRatio.toFixed(2),
    budget: `<= ${cpuMax}`,
    met: cpuRatio <= cpuMax,
  },
];

/** get-session with a random one of many sessions, against the floor on the same store. */
export const measureGetSession = async (bench: Bench, where: Where): Promise<Line[]> => {
  const comparison = await compareWithFloor(bench, where, {
    next: getSessionRequests(),
    accepts: ({ status, body }) => status === 200 && body.includes("@example.com"),
  });
  return linesOf(where, comparison);
};
