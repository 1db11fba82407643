import { expect, test } from "vitest";
import { conditionOf, type Queue, worstFirst } from "./queue-condition.ts";

const now = new Date("2026-03-01T12:00:00Z");
const secondsAgo = (count: number) => new Date(now.getTime() - count * 1000).toISOString();

const queue = (values: Partial<Queue>): Queue => ({
  name: "mailer",
  waiting: 0,
  active: 0,
  delayed: 0,
  failed: 0,
  handledLastMinute: 0,
  handledLastFiveMinutes: 0,
  ...values,
});

const late = { waiting: 4, oldestWaitingAt: secondsAgo(90) };

test.each<[string, Partial<Queue>, string]>([
  ["is idle", {}, "healthy"],
  ["waits for a moment", { waiting: 4, oldestWaitingAt: secondsAgo(30) }, "healthy"],
  ["waits by a clock that is ahead", { waiting: 1, oldestWaitingAt: secondsAgo(-90) }, "healthy"],
  ["waits long, and handles some", { ...late, handledLastMinute: 1 }, "behind"],
  ["waits long for a message in progress", { ...late, active: 1 }, "behind"],
  ["waits long, and handles none", late, "stopped"],
])("a queue that %s is %s", (_case, values, condition) => {
  expect(conditionOf(queue(values), now)).toBe(condition);
});

test("queues with failed messages come first, then those that stand still or are slow", () => {
  const queues = [
    queue({ name: "healthy" }),
    queue({ name: "behind", ...late, active: 1 }),
    queue({ name: "failed", failed: 1 }),
    queue({ name: "stopped", ...late }),
    queue({ name: "failed and stopped", ...late, failed: 1 }),
  ];
  expect(worstFirst(queues, now).map(({ name }) => name)).toEqual([
    "failed and stopped",
    "failed",
    "stopped",
    "behind",
    "healthy",
  ]);
});
