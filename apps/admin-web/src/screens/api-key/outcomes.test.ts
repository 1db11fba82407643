import { expect, test } from "vitest";
import { outcomes } from "./outcomes.ts";

test("no two outcomes share a pattern or a colour, and each has a colour of charts", () => {
  expect(new Set(outcomes.map(({ pattern }) => pattern)).size).toBe(outcomes.length);
  expect(new Set(outcomes.map(({ color }) => color)).size).toBe(outcomes.length);
  for (const { color } of outcomes) expect(color).toMatch(/^var\(--color-chart-[1-6]\)$/);
});
