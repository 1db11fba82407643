import { createTestClock, until } from "@latchkey/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RevisionNews, followRevisions } from "./follow-revisions.ts";
import { createUserRevisions, type UserRevisions } from "./user-revisions.ts";

type Follower = ReturnType<typeof followRevisions>;
/** One call, and a way to answer it. */
interface Question extends PromiseWithResolvers<RevisionNews> {
  after: string | null;
  signal: AbortSignal;
}

let clock: ReturnType<typeof createTestClock>;
let revisions: UserRevisions;
let questions: Question[];
let log: string[];
let follower: Follower;

beforeEach(() => {
  clock = createTestClock();
  revisions = createUserRevisions({ clock: clock.now, cachedSeconds: 300 });
  questions = [];
  log = [];
  follower = followRevisions({
    revisions,
    clock: clock.now,
    logger: {
      warn: (_error: unknown, message?: string) => log.push(message ?? ""),
      info: (message: unknown) => log.push(String(message)),
    },
    ask: (after, signal) => {
      const question = { ...Promise.withResolvers<RevisionNews>(), after, signal };
      signal.addEventListener("abort", () => question.reject(signal.reason));
      questions.push(question);
      return question.promise;
    },
  });
});
afterEach(() => follower.stop());

/** Resolves with the next call. */
const nextQuestion = (): Promise<Question> => until(() => questions.shift());
const unheard = "identity does not report revocations; not trusting cached sessions";
const heard = "trusting cached sessions again";

test("first requests everything that matters, then continues from each reply", async () => {
  const first = await nextQuestion();
  expect([first.after, revisions.isTrusted()]).toEqual([null, false]);
  first.resolve({ position: "1", epochs: [{ userId: "a", epoch: 7 }] });
  const second = await nextQuestion();
  expect(second.after).toBe("1");
  expect(["a", "b"].map((userId) => revisions.isCurrent(userId, 6))).toEqual([false, true]);
  second.resolve({ position: "2", epochs: [{ userId: "b", epoch: 7 }] });
  expect((await nextQuestion()).after).toBe("2");
  expect(revisions.isCurrent("b", 6)).toBe(false);
  expect(log).toEqual([]);
});

test("knowledge is as recent as the call, not the reply", async () => {
  const first = await nextQuestion();
  clock.advance(2_000);
  first.resolve({ position: "1", epochs: [] });
  await nextQuestion();
  expect(revisions.isTrusted()).toBe(true);
  clock.advance(501);
  expect(revisions.isTrusted()).toBe(false);
});

test("logs the start and the end of an outage once, and requests everything again", async () => {
  (await nextQuestion()).resolve({ position: "1", epochs: [] });
  (await nextQuestion()).reject(new Error("away"));
  (await nextQuestion()).reject(new Error("still away"));
  const back = await nextQuestion();
  expect([back.after, log]).toEqual([null, [unheard]]);
  back.resolve({ position: "9", epochs: [] });
  expect((await nextQuestion()).after).toBe("9");
  expect([log, revisions.isTrusted()]).toEqual([[unheard, heard], true]);
});

test("trusts nothing during an outage, and applies what happened in it afterwards", async () => {
  (await nextQuestion()).resolve({ position: "1", epochs: [] });
  (await nextQuestion()).reject(new Error("away"));
  clock.advance(2_501);
  expect(revisions.isCurrent("a", 1)).toBe(false);
  (await nextQuestion()).resolve({ position: "2", epochs: [{ userId: "a", epoch: 2 }] });
  await nextQuestion();
  expect([1, 2].map((epoch) => revisions.isCurrent("a", epoch))).toEqual([false, true]);
});

test("stopping aborts the open call, starts no other, and does not count as an outage", async () => {
  const { signal } = await nextQuestion();
  await follower.stop();
  expect([signal.aborted, questions, log]).toEqual([true, [], []]);
});

test("stopping does not wait for the delay after a failure", async () => {
  for (let failures = 0; failures < 3; failures += 1)
    (await nextQuestion()).reject(new Error("away"));
  await follower.stop();
  expect(questions).toEqual([]);
});
