import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Bus } from "./bus.ts";
import { openFragileBackend } from "./fragile-backend.fixture.ts";
import { backendKinds, openTestBackend, type TestBackend } from "./test-backend.fixture.ts";
import { UnretryableError } from "./unretryable-error.ts";

const urls = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
const options = { concurrency: 4, attemptsMax: 3 };
const message = (id: string) => ({ id, name: "thing.happened", data: { secret: `data of ${id}` } });
const stateOf = async (bus: Bus, queue: string, id: string) =>
  (await bus.states(queue, [id])).get(id);
const sixteen = <T>(ask: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 16 }, ask));
const countOf = (answers: readonly boolean[]) => answers.filter(Boolean).length;

describe.each(backendKinds)("failed messages on %s", (kind) => {
  expectNoLeaks("file");
  let backend: TestBackend;
  let bus: Bus;

  beforeAll(async () => {
    backend = await openTestBackend(kind, urls);
    bus = backend.createBus();
  });
  afterAll(() => backend.close());

  /** Publishes messages and makes them fail permanently, one after the other. */
  const failAll = async (queue: string, ids: readonly string[], reason = "bad payload") => {
    const fail = async () => {
      throw new UnretryableError(reason);
    };
    const consumer = bus.consume(queue, fail, options);
    for (const id of ids) {
      await bus.publish(queue, [message(id)]);
      await until(async () => (await stateOf(bus, queue, id)) === "failed");
    }
    await consumer.stop();
  };

  test("are listed with name, time, attempts and reason, but without data", async () => {
    const before = Date.now();
    const consumer = bus.consume("told", () => Promise.reject(new Error("no luck")), options);
    await bus.publish("told", [message("a1")]);
    await until(async () => (await stateOf(bus, "told", "a1")) === "failed");
    await consumer.stop();
    const [failure, ...others] = await bus.failed("told", { limit: 10 });
    expect(others).toEqual([]);
    expect(failure).toStrictEqual({
      id: "a1",
      name: "thing.happened",
      failedAt: expect.any(Date) as Date,
      attempts: 3,
      reason: "no luck",
    });
    expect(failure?.failedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(failure?.failedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test("have a long reason cut", async () => {
    await failAll("long", ["l1"], "x".repeat(10_000));
    const [failure] = await bus.failed("long", { limit: 1 });
    expect(failure?.reason).toBe("x".repeat(500));
  });

  test("are paged from the latest, each once, even if many failed at one moment", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await failAll("paged", ids);
    const whole = await bus.failed("paged", { limit: 100 });
    expect(whole.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await bus.failed("nothing", { limit: 100 })).toEqual([]);
    await backend.failAtOneMoment("paged", ids.slice(2, 9));
    const moved = await bus.failed("paged", { limit: 100 });
    for (const limit of [1, 2, 5, 12]) {
      const walked: string[] = [];
      let page = await bus.failed("paged", { limit });
      while (page.length > 0) {
        walked.push(...page.map(({ id }) => id));
        page = await bus.failed("paged", { limit, after: page.at(-1) });
      }
      expect(walked).toEqual(moved.map(({ id }) => id));
    }
    const times = moved.map(({ failedAt }) => failedAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [gone] = moved;
    await bus.discard("paged", gone?.id ?? "");
    const rest = await bus.failed("paged", { limit: 100, after: gone });
    expect(rest).toEqual(moved.slice(1));
  });

  test("are retried by exactly one of sixteen concurrent calls, with all attempts", async () => {
    await failAll("retried", ["r1"]);
    expect(countOf(await sixteen(() => bus.retry("retried", "r1")))).toBe(1);
    expect(await bus.counts("retried")).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });
    const attempts: number[] = [];
    const handler = async (received: unknown, attempt: number) => {
      expect(received).toEqual(message("r1"));
      attempts.push(attempt);
      throw new Error("still no luck");
    };
    const consumer = bus.consume("retried", handler, options);
    await until(async () => (await stateOf(bus, "retried", "r1")) === "failed");
    await consumer.stop();
    expect(attempts).toEqual([1, 2, 3]);
    expect(await bus.failed("retried", { limit: 2 })).toMatchObject([
      { id: "r1", attempts: 3, reason: "still no luck" },
    ]);
  });

  test("are discarded by exactly one of sixteen concurrent calls, with their data", async () => {
    await failAll("discarded", ["d1", "d2"]);
    expect(await backend.dump()).toContain("data of d1");
    expect(countOf(await sixteen(() => bus.discard("discarded", "d1")))).toBe(1);
    expect(await stateOf(bus, "discarded", "d1")).toBe("done");
    expect(await backend.dump()).not.toContain("data of d1");
    expect((await bus.failed("discarded", { limit: 9 })).map(({ id }) => id)).toEqual(["d2"]);
    await bus.publish("discarded", [message("d1"), message("d3")]);
    const runs: string[] = [];
    const consumer = bus.consume("discarded", async ({ id }) => void runs.push(id), options);
    await until(async () => (await stateOf(bus, "discarded", "d3")) === "done");
    await consumer.stop();
    expect(runs).toEqual(["d3"]);
  });

  test("are either discarded or retried if both happen at once", async () => {
    const ids = Array.from({ length: 16 }, (_, index) => `e${index}`);
    await failAll("either", ids);
    const answers = await Promise.all(
      ids.map((id) => Promise.all([bus.discard("either", id), bus.retry("either", id)])),
    );
    for (const both of answers) expect(countOf(both)).toBe(1);
    const retried = ids.filter((_, index) => answers[index]?.[1]);
    const runs: string[] = [];
    const consumer = bus.consume("either", async ({ id }) => void runs.push(id), options);
    await until(async () => {
      const states = await bus.states("either", ids);
      return [...states.values()].every((state) => state === "done");
    });
    await consumer.stop();
    expect(runs.toSorted()).toEqual(retried.toSorted());
  });

  test("are the only messages that can be retried and discarded", async () => {
    await bus.publish("others", [message("w1"), message("x1")]);
    for (const change of [bus.retry, bus.discard]) {
      expect(await change("others", "w1")).toBe(false);
      expect(await change("others", "missing")).toBe(false);
    }
    const consumer = bus.consume("others", async () => {}, options);
    await until(async () => (await stateOf(bus, "others", "w1")) === "done");
    await consumer.stop();
    for (const change of [bus.retry, bus.discard]) expect(await change("others", "w1")).toBe(false);
    expect(await stateOf(bus, "others", "w1")).toBe("done");
  });
});

// Excluded from the leak check: after an error, BullMQ's stall check sleeps five seconds, even if it is closed.
test.each(backendKinds)("on %s, calls reject while the store is unavailable", async (kind) => {
  const fragile = await openFragileBackend(kind, urls);
  const bus = fragile.createBus({ commandMilliseconds: 1_000 });
  await fragile.bringUp();
  await until(() => bus.failed("any", { limit: 1 }).then(() => true));
  await until(() => bus.retry("any", "a1").then(() => true));
  await fragile.lose();
  await expect(bus.failed("any", { limit: 1 })).rejects.toThrow();
  await expect(bus.retry("any", "a1")).rejects.toThrow();
  await expect(bus.discard("any", "a1")).rejects.toThrow();
  await fragile.close();
});
