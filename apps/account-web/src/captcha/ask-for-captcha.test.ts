import { expect, test } from "vitest";
import { createTurns } from "./ask-for-captcha.tsx";

test("runs tasks one after another, also after one that fails", async () => {
  const inTurn = createTurns();
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const begin = <T>(name: string, outcome: Promise<T>) =>
    inTurn(() => {
      begun.push(name);
      return outcome;
    });
  const outcomes = [begin("first", first.promise), begin("second", Promise.resolve("done"))];
  await Promise.resolve();
  expect(begun).toEqual(["first"]);
  first.reject(new Error("given up"));
  const settled = await Promise.allSettled(outcomes);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(begun).toEqual(["first", "second"]);
});
