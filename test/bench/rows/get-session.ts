import type { Bench } from "../harness/bench.ts";
import { cpuLine, throughputLine } from "../harness/ratio-lines.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Line } from "../harness/row.ts";
import { compareWithFloor, type Where } from "./against-floor.ts";

const throughputMin = 0.8;
const cpuMax = 1.4;

/** get-session with a random one of many sessions, compared with the floor on the same store. */
export const measureGetSession = async (bench: Bench, where: Where): Promise<Line[]> => {
  const path = `GET /get-session, ${where}`;
  const comparison = await compareWithFloor(bench, where, {
    next: getSessionRequests(),
    accepts: ({ status, body }) => status === 200 && body.includes("@example.com"),
  });
  return [throughputLine(path, comparison, throughputMin), cpuLine(path, comparison, cpuMax)];
};
