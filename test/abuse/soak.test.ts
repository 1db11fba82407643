import { expect, inject, test } from "vitest";
import { brokenOf } from "./report/verdict.ts";
import { runSoak } from "./soak/run-soak.ts";

/** As `npm run soak` does, for as long as a test may take and at a rate that leaves room for what runs beside it. */
const seconds = 20;
const testMs = 600_000;

test(
  "a mixed load is answered rightly and leaves no key that lives for ever and no event that waits",
  async () => {
    const servers = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
    const lines: string[] = [];
    const verdicts = await runSoak({
      servers,
      where: "redis",
      seconds,
      everySeconds: seconds / 2,
      capacitySeconds: 3,
      shareOfCapacity: 0.3,
      judgesCourse: false,
      say: (text) => lines.push(text),
    });
    expect(brokenOf(verdicts), lines.join("\n")).toEqual([]);
  },
  testMs,
);
