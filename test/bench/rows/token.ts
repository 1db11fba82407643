import { cpuLine, throughputLine } from "../harness/ratio-lines.ts";
import { getTokenRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { compareWithFloor } from "./against-floor.ts";

const path = "GET /token";

/** A signed token of a random user. The floor looks up the session and signs the same amount. */
export const token: Row = {
  name: "token",
  measure: async (bench) => {
    const comparison = await compareWithFloor(bench, "postgres", {
      next: getTokenRequests(),
      accepts: ({ status, body }) => status === 200 && body.includes('"token":"ey'),
    });
    return [throughputLine(path, comparison), cpuLine(path, comparison)];
  },
};
