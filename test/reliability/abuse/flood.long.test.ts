import { describe, expect, inject, test } from "vitest";
import { runFlood } from "./flood/run-flood.ts";
import { brokenOf } from "./report/verdict.ts";

/** A smaller run than that of `npm run flood`. */
const addresses = 3_000;
/** Longer than the flood waits for rows to be swept. */
const testMs = 900_000;

describe("a flood of client addresses", () => {
  test.each(["memory", "secondary-storage", "database"] as const)(
    "does not affect other addresses' limits and leaves nothing in %s",
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
