/** The length that the Postgres planner assumes for a list of unknown length. */
const plannedLength = 10;

/** Pads a list to ten elements, the length that the Postgres planner assumes. It would plan each call with a shorter list anew. */
export const plannedList = <Value>(values: readonly Value[], filler: Value): Value[] => [
  ...values,
  ...Array.from({ length: plannedLength - values.length }, () => filler),
];
