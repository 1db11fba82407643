import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { checkModel, type Subject } from "./check-model.ts";
import { type ModelSystem, startModelSystem } from "./system.ts";
import { invitations } from "./invitations/subject.ts";
import { keys } from "./keys/subject.ts";
import { readTrial } from "./read-trial.ts";
import { secondFactors } from "./second-factors/subject.ts";
import { createSessions } from "./sessions/subject.ts";
import { createTally } from "./tally.ts";
import { matrix } from "../../harness/matrix.ts";

const trial = readTrial(process.env);
const testMilliseconds = 240_000 + trial.runs * 60_000;

// On failure, fast-check prints the seed and path that reproduce the calls, and the shortest failing sequence.
describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  let system: ModelSystem;
  beforeAll(async () => {
    system = await startModelSystem(stores);
  });
  afterAll(() => system?.stop());

  const check = async <State extends { now: number }, Picked, Call extends { kind: string }>(
    subject: Subject<State, Picked, Call>,
  ): Promise<void> => {
    // Shrinking may time out before fast-check prints anything.
    onTestFailed(() => console.log(`SEED=${trial.seed}`));
    const tally = createTally();
    await checkModel(system, subject, { ...trial, tally });
    const counts = tally.counts();
    if (trial.isShown) console.log(trial.seed, stores, subject.name, JSON.stringify(counts));
    // Every run makes a call, but a few runs may happen to make none concurrently.
    expect(trial.isShown ? counts.contested : counts.calls).toBeGreaterThan(0);
  };

  /** Attack: using a stolen cached session wherever its end is not known yet. */
  const live = "sessions live where and as long as their model says, and no copy lives longer";
  test(live, { timeout: testMilliseconds }, async () => {
    let copies = 0;
    await check(createSessions(() => (copies += 1)));
    expect(copies).toBeGreaterThan(0);
  });

  const join = "invitations make the members that their model says, whatever is done at once";
  test(join, { timeout: testMilliseconds }, () => check(invitations));

  /** Attack: using a key at both replicas concurrently, to exceed its limit. */
  const grant =
    "keys grant as much as their model says to the use, at whichever replica they are used";
  test(grant, { timeout: testMilliseconds }, () => check(keys));

  /** Attack: guessing at both replicas concurrently, or using one code twice. */
  const pass =
    "second factors are passed and locked as their model says, at whichever replica codes are entered";
  test(pass, { timeout: testMilliseconds }, () => check(secondFactors));
});
