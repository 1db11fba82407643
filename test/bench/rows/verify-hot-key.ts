import { cpuLine, throughputLine } from "../harness/ratio-lines.ts";
import type { Line, Row } from "../harness/row.ts";
import { compareVerifications } from "./verify-against-floor.ts";

/** Verifies one key that is used by all clients. Each verification of the floor waits for the row lock. */
export const verifyHotKey: Row = {
  name: "verify-hot-key",
  measure: async (bench) => {
    const lines: Line[] = [];
    for (const where of ["postgres", "redis"] as const) {
      const comparison = await compareVerifications(bench, { where, keys: 1 });
      const path = `POST /internal/api-key/verify, one key, ${where}`;
      lines.push(throughputLine(path, comparison), cpuLine(path, comparison));
    }
    return lines;
  },
};
