const plannedLength = 10;

/**
 * Pads a list to ten elements. The Postgres planner assumes this length for a list of unknown length, and would plan each statement with
 * a shorter list anew.
 */
export const plannedList = <Value>(values: readonly Value[], filler: Value): Value[] => [
  ...values,
  ...Array.from({ length: plannedLength - values.length }, () => filler),
];
