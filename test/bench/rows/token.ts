import { getTokenRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { compareWithFloor, unjudged } from "./against-floor.ts";

/** A signed token of a random one of many users; the floor looks the session up and signs as much. */
export const token: Row = {
  name: "token",
  measure: async (bench) => {
    const comparison = await compareWithFloor(bench, "postgres", {
      next: getTokenRequests(),
      accepts: ({ status, body }) => status === 200 && body.includes('"token":"ey'),
    });
    return unjudged("GET /token", comparison);
  },
};
