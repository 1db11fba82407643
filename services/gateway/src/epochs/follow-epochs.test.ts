import { createTestClock, until } from "@latchkey/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EpochNews, followEpochs } from "./follow-epochs.ts";
import { createUserEpochs, type UserEpochs } from "./user-epochs.ts";

type Follower = ReturnType<typeof followEpochs>;
/** One question, and how to answer it. */
interface Question extends PromiseWithResolvers<EpochNews> {
  after: string | null;
  signal: AbortSignal;
}

let clock: ReturnType<typeof createTestClock>;
let epochs: UserEpochs;
let questions: Question[];
let log: string[];
let follower: Follower;

beforeEach(() => {
  clock = createTestClock();
  epochs = createUserEpochs({ clock: clock.now, cachedSeconds: 300 });
  questions = [];
  log = [];
  follower = followEpochs({
    epochs,
    clock: clock.now,
    logger: {
      warn: (_error: unknown, message?: string) => log.push(message ?? ""),
      info: (message: unknown) => log.push(String(message)),
    },
    ask: (after, signal) => {
      const question = { ...Promise.withResolvers<EpochNews>(), after, signal };
      signal.addEventListener("abort", () => question.reject(signal.reason));
      questions.push(question);
      return question.promise;
    },
  });
});
afterEach(() => follower.stop());

/** The question that is asked next. */
const asked = (): Promise<Question> => until(() => questions.shift());
const unheard = "identity does not tell of revocations; no cached session is believed";
const heard = "cached sessions are believed again";

test("it asks for all that matters first, and goes on from each answer", async () => {
  const first = await asked();
  expect([first.after, epochs.isTrusted()]).toEqual([null, false]);
  first.resolve({ position: "1", epochs: [{ userId: "a", epoch: 7 }] });
  const second = await asked();
  expect(second.after).toBe("1");
  expect(["a", "b"].map((userId) => epochs.isCurrent(userId, 6))).toEqual([false, true]);
  second.resolve({ position: "2", epochs: [{ userId: "b", epoch: 7 }] });
  expect((await asked()).after).toBe("2");
  expect(epochs.isCurrent("b", 6)).toBe(false);
  expect(log).toEqual([]);
});

test("what is known is as fresh as the question was, not the answer", async () => {
  const first = await asked();
  clock.advance(2_000);
  first.resolve({ position: "1", epochs: [] });
  await asked();
  expect(epochs.isTrusted()).toBe(true);
  clock.advance(501);
  expect(epochs.isTrusted()).toBe(false);
});

test("an outage is said once, its end once, and everything is asked for again", async () => {
  (await asked()).resolve({ position: "1", epochs: [] });
  (await asked()).reject(new Error("away"));
  (await asked()).reject(new Error("still away"));
  const back = await asked();
  expect([back.after, log]).toEqual([null, [unheard]]);
  back.resolve({ position: "9", epochs: [] });
  expect((await asked()).after).toBe("9");
  expect([log, epochs.isTrusted()]).toEqual([[unheard, heard], true]);
});

test("during an outage nothing is believed any more, and what happened in it counts after it", async () => {
  (await asked()).resolve({ position: "1", epochs: [] });
  (await asked()).reject(new Error("away"));
  clock.advance(2_501);
  expect(epochs.isCurrent("a", 1)).toBe(false);
  (await asked()).resolve({ position: "2", epochs: [{ userId: "a", epoch: 2 }] });
  await asked();
  expect([1, 2].map((epoch) => epochs.isCurrent("a", epoch))).toEqual([false, true]);
});

test("stopping gives up the question that is open, asks no other, and is no outage", async () => {
  const { signal } = await asked();
  await follower.stop();
  expect([signal.aborted, questions, log]).toEqual([true, [], []]);
});

test("stopping does not wait for the rest after a failure", async () => {
  for (let failures = 0; failures < 3; failures += 1) (await asked()).reject(new Error("away"));
  await follower.stop();
  expect(questions).toEqual([]);
});
