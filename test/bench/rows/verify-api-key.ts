import type { Line, Row } from "../harness/row.ts";
import { unjudged } from "./against-floor.ts";
import { compareVerifications } from "./verify-against-floor.ts";

const keys = 100_000;
const throughputMin = 0.5;

/** Verifications of many keys whose uses are counted exactly; the floor counts them by one statement, and judges nothing. */
export const verifyApiKey: Row = {
  name: "verify-api-key",
  measure: async (bench) => {
    const lines: Line[] = [];
    for (const where of ["postgres", "redis"] as const) {
      const comparison = await compareVerifications(bench, { where, keys });
      const [throughput, cpu] = unjudged(`POST /internal/api-key/verify, ${where}`, comparison);
      const judged = {
        budget: `>= ${throughputMin}`,
        met: comparison.throughputRatio >= throughputMin,
      };
      // Both are there.
      lines.push({ ...(throughput as Line), ...judged }, cpu as Line);
    }
    return lines;
  },
};
