import { expect, test } from "vitest";
import { explainInfo } from "./check-redis.ts";

const judge = (version: string) =>
  explainInfo(
    new Map([
      ["redis_version", version],
      ["aof_enabled", "1"],
    ]),
    "redis:6379",
  )[0];

test.each(["5.0.14", "6.0.16", "6.1.241"])(
  "reports Redis %s as too old for sessions",
  (version) => {
    expect(judge(version)).toMatchObject({ status: "fail", remedy: "upgrade it to 6.2 or newer" });
  },
);

test.each(["6.2.0", "6.2.14", "7.0.15", "8.2.1", "10.0.0"])("accepts Redis %s", (version) => {
  expect(judge(version)).toMatchObject({ status: "ok" });
});
