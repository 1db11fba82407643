import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

const settle = { resolve: Promise.resolve.bind(Promise), reject: Promise.reject.bind(Promise) };

test.each(["resolve", "reject"] as const)(
  "runs once for three presses, and again only after it has settled (%s)",
  async (how) => {
    let callCount = 0;
    const press = oneAtATime();
    const call = () => {
      callCount += 1;
      return settle[how](new Error("refused"));
    };
    for (let presses = 0; presses < 3; presses += 1) press(call);
    expect(callCount).toBe(1);
    await expect.poll(() => (press(call), callCount)).toBe(2);
  },
);
