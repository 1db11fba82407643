import { getJwksRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { compareWithFloor, unjudged } from "./against-floor.ts";

/** The public keys; the floor passes a ready answer on. */
export const jwks: Row = {
  name: "jwks",
  measure: async (bench) => {
    const comparison = await compareWithFloor(bench, "postgres", {
      next: getJwksRequests(),
      accepts: ({ status, body }) => status === 200 && body.includes('"kid"'),
    });
    return unjudged("GET /jwks", comparison);
  },
};
