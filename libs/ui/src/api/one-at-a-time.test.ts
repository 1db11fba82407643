import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

const settle = { resolve: Promise.resolve.bind(Promise), reject: Promise.reject.bind(Promise) };

test.each(["resolve", "reject"] as const)(
  "runs once for three presses, and again only after it has settled (%s)",
  async (how) => {
    let asked = 0;
    const press = oneAtATime();
    const ask = () => {
      asked += 1;
      return settle[how](new Error("refused"));
    };
    for (let presses = 0; presses < 3; presses += 1) press(ask);
    expect(asked).toBe(1);
    await expect.poll(() => (press(ask), asked)).toBe(2);
  },
);
