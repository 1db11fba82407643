import { cpuLine, throughputLine } from "../harness/ratio-lines.ts";
import { getJwksRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { compareWithFloor } from "./against-floor.ts";

const path = "GET /jwks";

/** The public keys. The floor returns a prepared answer. */
export const jwks: Row = {
  name: "jwks",
  measure: async (bench) => {
    const comparison = await compareWithFloor(bench, "postgres", {
      next: getJwksRequests(),
      accepts: ({ status, body }) => status === 200 && body.includes('"kid"'),
    });
    return [throughputLine(path, comparison), cpuLine(path, comparison)];
  },
};
