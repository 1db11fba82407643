import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { checkModel, type Subject } from "./check-model.ts";
import { type House, startHouse } from "./house.ts";
import { invitations } from "./invitations/subject.ts";
import { keys } from "./keys/subject.ts";
import { readTrial } from "./read-trial.ts";
import { createSessions } from "./sessions/subject.ts";
import { createTally } from "./tally.ts";

const trial = readTrial(process.env);
const testMilliseconds = 60_000 + trial.runs * 20_000;

// On failure fast-check prints the seed and the path that lead to the calls again, and the fewest calls that fail.
describe.each(["postgres", "redis"] as const)("with sessions in %s", (stores) => {
  let house: House;
  beforeAll(async () => {
    house = await startHouse(stores);
  });
  afterAll(() => house?.stop());

  const check = async <State extends { now: number }, Picked, Call extends { kind: string }>(
    subject: Subject<State, Picked, Call>,
  ): Promise<void> => {
    // Who looks for the fewest calls that fail may be out of time before anything is printed.
    onTestFailed(() => console.log(`SEED=${trial.seed}`));
    const tally = createTally();
    await checkModel(house, subject, { ...trial, tally });
    const counts = tally.counts();
    if (trial.isShown) console.log(trial.seed, stores, subject.name, JSON.stringify(counts));
    expect(counts.contested).toBeGreaterThan(0);
  };

  /** Attack: a stolen copy of a session is shown wherever one has not heard yet that the session is over. */
  const live = "sessions live where and as long as their model says, and no copy lives longer";
  test(live, { timeout: testMilliseconds }, async () => {
    let copies = 0;
    await check(createSessions(() => (copies += 1)));
    expect(copies).toBeGreaterThan(0);
  });

  const join = "invitations make the members that their model says, whatever is done at once";
  test(join, { timeout: testMilliseconds }, () => check(invitations));

  /** Attack: uses of a key at both replicas at once, to have more than it grants. */
  const grant =
    "keys grant as much as their model says to the use, at whichever replica they are used";
  test(grant, { timeout: testMilliseconds }, () => check(keys));
});
