import { cpuLine, throughputLine } from "../harness/ratio-lines.ts";
import type { Line, Row } from "../harness/row.ts";
import { compareVerifications } from "./verify-against-floor.ts";

const keys = 100_000;
const throughputMin = 0.9;

/** Verifies many keys with exact counting. The floor counts with one statement and checks nothing else. */
export const verifyApiKey: Row = {
  name: "verify-api-key",
  measure: async (bench) => {
    const lines: Line[] = [];
    for (const where of ["postgres", "redis"] as const) {
      const comparison = await compareVerifications(bench, { where, keys });
      const path = `POST /internal/api-key/verify, ${where}`;
      lines.push(throughputLine(path, comparison, throughputMin), cpuLine(path, comparison));
    }
    return lines;
  },
};
