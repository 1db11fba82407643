import type { Row } from "../harness/row.ts";
import { measureGetSession } from "./get-session.ts";

export const getSessionRedis: Row = {
  name: "get-session-redis",
  measure: (bench) => measureGetSession(bench, "redis"),
};
