interface Round<Position> {
  readonly count: number;
  /** The start of the next round. Undefined after the last one. */
  readonly next: Position | undefined;
}

/** Bounds the rounds, so that deliveries that keep failing do not prolong a retry without end. */
const roundsMax = 1000;

/** Repeats a call that has a limit until nothing is left. Returns the sum of its counts. */
export const inRounds = async <Position>(
  run: (position: Position | undefined) => Promise<Round<Position>>,
): Promise<number> => {
  let sum = 0;
  let position: Position | undefined;
  for (let round = 0; round < roundsMax; round++) {
    // oxlint-disable-next-line no-await-in-loop -- each round begins where the last one ended
    const { count, next } = await run(position);
    sum += count;
    if (next === undefined) break;
    position = next;
  }
  return sum;
};
