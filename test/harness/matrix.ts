import { test } from "vitest";

const { TEST_MATRIX } = process.env;
const isWhole = TEST_MATRIX === "whole";
const isDetailed = isWhole || TEST_MATRIX === "details";

/**
 * Combinations for a test: `npm test` runs the first one, `npm run test:matrix` all of them. Use it if a test does not depend on
 * the stores. The guarantees of each store are tested separately: sessions in `session-store.db.test.ts`, the bus in
 * `bullmq-bus.db.test.ts`, limits next to each limiter.
 */
export const matrix = <const Combination>(
  ...combinations: readonly Combination[]
): readonly Combination[] => (isWhole ? combinations : combinations.slice(0, 1));

/** Combinations that only `npm run test:matrix` runs, because another test proves the same with another one. */
export const matrixOnly = <const Combination>(
  ...combinations: readonly Combination[]
): readonly Combination[] => (isWhole ? combinations : []);

type MatrixTest = Pick<typeof test, "each"> &
  ((name: string, run: () => Promise<void>, timeoutMs?: number) => void);

const unregistered: MatrixTest = Object.assign(() => {}, { each: () => () => {} });

/**
 * Declares a test that only `npm run test:matrix` runs. A test of `npm test` proves the same guarantee in less detail, or at a lower level.
 * `docs/adr/0098` lists both. If all tests of a file are of this kind, name it `*.matrix.test.ts` instead.
 */
export const matrixTest: MatrixTest = isDetailed ? test : unregistered;

/**
 * Runs a step of a test in `npm run test:matrix` only, such as a look at one more state of a screen. The test proves the same without it, in
 * less detail.
 */
export const matrixStep = async (run: () => Promise<void>): Promise<void> => {
  if (isDetailed) await run();
};

/** A value that is smaller than in the whole matrix, such as a number of rounds. */
export const matrixValue = <Value>(usual: Value, whole: Value): Value => (isWhole ? whole : usual);

/** Declares a test of `npm test` if it represents others like it, and a `matrixTest` otherwise. */
export const testIf = (represents: boolean): MatrixTest => (represents ? test : matrixTest);

/**
 * The rows of a table for a test: `npm test` runs those that represent the others, at least one of each code path, and the matrix all of
 * them. `docs/adr/0098` lists such tables.
 */
export const representatives = <Row>(
  rows: readonly Row[],
  represents: (row: Row, index: number) => boolean,
): readonly Row[] => {
  const chosen = isDetailed ? rows : rows.filter(represents);
  if (chosen.length === 0) throw new Error("No row of the table runs in npm test");
  return chosen;
};

/** Chooses the first row of each kind. */
export const firstOfKind = <Row>(kindOf: (row: Row) => string): ((row: Row) => boolean) => {
  const kinds = new Map<string, Row>();
  return (row) => {
    const kind = kindOf(row);
    if (!kinds.has(kind)) kinds.set(kind, row);
    return kinds.get(kind) === row;
  };
};

/** The possible stores of sessions. */
const everySessionStore = [
  { where: "postgres", stores: "postgres" },
  { where: "redis", stores: "redis" },
] as const;
type SessionStore = (typeof everySessionStore)[number];

/** Combinations of the stores of sessions for a test. `npm test` runs it on the given one. */
export const sessionStores = (first: SessionStore["where"]): readonly SessionStore[] =>
  matrix(
    ...everySessionStore.toSorted(
      (one, other) => Number(other.where === first) - Number(one.where === first),
    ),
  );
