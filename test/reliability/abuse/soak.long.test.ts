import { expect, inject, test } from "vitest";
import { brokenOf } from "./report/verdict.ts";
import { runSoak } from "./soak/run-soak.ts";

/** A shorter run than that of `npm run soak`, at a rate that leaves CPU for tests that run in parallel. */
const seconds = 12;
const testMs = 600_000;

test(
  "a mixed load gets correct answers and leaves no permanent keys and no pending events",
  async () => {
    const servers = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
    const lines: string[] = [];
    const verdicts = await runSoak({
      servers,
      where: "redis",
      seconds,
      capacitySeconds: seconds / 4,
      everySeconds: seconds / 2,
      shareOfCapacity: 0.3,
      judgesCourse: false,
      say: (text) => lines.push(text),
    });
    expect(brokenOf(verdicts), lines.join("\n")).toEqual([]);
  },
  testMs,
);
