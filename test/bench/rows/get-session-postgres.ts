import type { Row } from "../harness/row.ts";
import { measureGetSession } from "./get-session.ts";

export const getSessionPostgres: Row = {
  name: "get-session-postgres",
  measure: (bench) => measureGetSession(bench, "postgres"),
};
