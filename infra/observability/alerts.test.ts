import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { retryDelay } from "../../libs/service-kit/src/bus/bullmq-bus.ts";

/** Returns the expression of an alert on one line. */
const expressionOf = async (name: string): Promise<string> => {
  const text = await readFile("infra/observability/alerts.yml", "utf8");
  const { groups } = parse(text) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const alertRule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name);
  return alertRule?.expr.replaceAll(/\s+/g, " ").trim() ?? "";
};

/** Returns how often the bus tries one message at most within a time, with the shortest delays. */
const attemptsWithin = (milliseconds: number): number => {
  const backoff = { baseMilliseconds: 1_000, maxMilliseconds: 900_000 };
  let attempts = 1;
  for (let at = 0; at <= milliseconds; attempts += 1) at += retryDelay(attempts, backoff, () => 1);
  return attempts - 1;
};

describe("one failed mail on a quiet installation", () => {
  test("does not make LatchkeyMailsFail fire, however often it is tried", async () => {
    const minimum = / and sum\(increase\(latchkey_mail_seconds_count\[15m\]\)\) >= (\d+)$/.exec(
      await expressionOf("LatchkeyMailsFail"),
    )?.[1];
    expect(Number(minimum)).toBeGreaterThan(attemptsWithin(15 * 60_000));
  });

  test("makes LatchkeyMailFailed fire only if LatchkeyMailsFail did not report it", async () => {
    expect(await expressionOf("LatchkeyMailFailed")).toBe(
      'max(latchkey_failed_mails) > 0 unless on () ALERTS{alertname="LatchkeyMailsFail"} unless on () max_over_time(ALERTS{alertname="LatchkeyMailsFail",alertstate="firing"}[1d])',
    );
  });
});
