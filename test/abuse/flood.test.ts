import { describe, expect, inject, test } from "vitest";
import { runFlood } from "./flood/run-flood.ts";
import { brokenOf } from "./report/verdict.ts";

/** As `npm run flood` does, with fewer. */
const addresses = 3_000;
/** Longer than rows are waited for. */
const testMs = 900_000;

describe("addresses by the thousand", () => {
  test.each(["memory", "secondary-storage", "database"] as const)(
    "neither move the limit of another one nor leave anything in %s",
    async (storage) => {
      const servers = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
      const lines: string[] = [];
      const say = (text: string) => lines.push(text);
      const verdicts = await runFlood({ servers, storage, addresses, judgesCost: false, say });
      expect(brokenOf(verdicts)).toEqual([]);
      expect(lines.join("\n")).toContain(String(addresses));
    },
    testMs,
  );
});
