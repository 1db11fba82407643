/** The Postgres planner assumes this length for a list of unknown length. */
const plannedLength = 10;

/** Returns a list with fillers up to that length, because Postgres would plan each statement with a shorter one anew. */
export const plannedList = <Value>(values: readonly Value[], filler: Value): Value[] => [
  ...values,
  ...Array.from({ length: plannedLength - values.length }, () => filler),
];
