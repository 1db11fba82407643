const isWhole = process.env["TEST_MATRIX"] === "whole";

/**
 * Combinations for a test: `npm test` runs the first one, `npm run test:matrix` all of them. Use it if a test does not depend on
 * the stores. The guarantees of each store are tested separately: sessions in `session-store.db.test.ts`, the bus in
 * `bullmq-bus.db.test.ts`, limits next to each limiter.
 */
export const matrix = <const Combination>(
  ...combinations: readonly Combination[]
): readonly Combination[] => (isWhole ? combinations : combinations.slice(0, 1));
