import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expectNoLeaks, startTcpProxy, until } from "@latchkey/testkit";
import { Worker } from "bullmq";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { Bus } from "./bus.ts";
import { backendKinds, openTestBackend, type TestBackend } from "./test-backend.fixture.ts";
import { openFragileBackend } from "./fragile-backend.fixture.ts";
import { UnretryableError } from "./unretryable-error.ts";

const urls = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };
const options = { concurrency: 4, attemptsMax: 5 };
const message = (id: string) => ({ id, name: "thing.happened", data: { secret: `data of ${id}` } });
const stateOf = async (bus: Bus, queue: string, id: string) =>
  (await bus.states(queue, [id])).get(id);

describe.each(backendKinds)("on %s", (kind) => {
  expectNoLeaks("file");
  let backend: TestBackend;
  let bus: Bus;

  beforeAll(async () => {
    backend = await openTestBackend(kind, urls);
    bus = backend.createBus();
  });
  afterAll(() => backend.close());

  test("runs a message once if it is published again, even after completion", async () => {
    const runs: unknown[] = [];
    await Promise.all([
      bus.publish("twice", [message("a1")]),
      bus.publish("twice", [message("a1")]),
    ]);
    const consumer = bus.consume("twice", async (received) => void runs.push(received), options);
    await until(async () => (await stateOf(bus, "twice", "a1")) === "done");
    await bus.publish("twice", [message("a1"), message("a2")]);
    await until(async () => (await stateOf(bus, "twice", "a2")) === "done");
    expect(runs).toEqual([message("a1"), message("a2")]);
    await consumer.stop();
  });

  test.each([8, 9])(
    "runs %i messages once and in order if they are published at once",
    async (size) => {
      const queue = `batches of ${size}`;
      const batch = Array.from({ length: size }, (_, index) => message(`m${index}`));
      await Promise.all(Array.from({ length: 16 }, () => bus.publish(queue, batch)));
      const runs: unknown[] = [];
      const one = { ...options, concurrency: 1 };
      const consumer = bus.consume(queue, async (received) => void runs.push(received), one);
      await until(async () => (await stateOf(bus, queue, `m${size - 1}`)) === "done");
      expect(runs).toEqual(batch);
      expect(await bus.counts(queue)).toMatchObject({ waiting: 0, active: 0 });
      await consumer.stop();
    },
  );

  test("retries a failed handler until it succeeds", async () => {
    const attempts: number[] = [];
    const handler = async (_message: unknown, attempt: number) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error("not yet");
    };
    const consumer = bus.consume("retried", handler, options);
    await bus.publish("retried", [message("b1")]);
    await until(async () => (await stateOf(bus, "retried", "b1")) === "done");
    expect(attempts).toEqual([1, 2, 3]);
    await consumer.stop();
  });

  test("retries soon what a process with a fast clock has delayed", async () => {
    const patient = { baseMilliseconds: 3_600_000, maxMilliseconds: 3_600_000 };
    const slow = backend.createBus({ backoff: patient });
    const realNow = Date.now;
    const fast = vi.spyOn(Date, "now").mockImplementation(() => realNow() + 3_600_000);
    try {
      let runs = 0;
      const handler = async () => {
        runs += 1;
        if (runs === 1) throw new Error("not yet");
      };
      const consumer = slow.consume("misdated", handler, options);
      await bus.publish("misdated", [message("m1")]);
      await until(async () => (await bus.counts("misdated")).delayed === 1);
      expect(runs).toBe(1);
      fast.mockRestore();
      await until(async () => (await stateOf(bus, "misdated", "m1")) === "done");
      expect(runs).toBe(2);
      await consumer.stop();
    } finally {
      fast.mockRestore();
    }
  });

  test.each(["run", "waitUntilReady"] as const)(
    "replaces a worker whose %s never answers although messages wait",
    async (method) => {
      const hung = vi
        .spyOn(Worker.prototype, method)
        .mockReturnValueOnce(new Promise<never>(() => {}));
      try {
        const queue = `lost in ${method}`;
        const lost = bus.consume(queue, async () => {}, options);
        await bus.publish(queue, [message("l1")]);
        await until(async () => (await stateOf(bus, queue, "l1")) === "done");
        expect(hung.mock.calls.length).toBeGreaterThan(1);
        await lost.stop();
      } finally {
        hung.mockRestore();
      }
    },
  );

  test("leaves a worker that is busy, and waits for its handler when it stops", async () => {
    const run = vi.spyOn(Worker.prototype, "run");
    try {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const busy = bus.consume("busy", () => released, { ...options, concurrency: 1 });
      await bus.publish("busy", [message("b1"), message("b2")]);
      await delay(5_000);
      expect(run).toHaveBeenCalledTimes(1);
      release();
      await busy.stop();
    } finally {
      run.mockRestore();
    }
  });

  test.each([
    ["runs an unretryable failure once", new UnretryableError("bad payload"), 1],
    ["limits the attempts", new Error("always"), 5],
  ])("%s and marks the message as failed", async (_case, failure, runs) => {
    let count = 0;
    const queue = `failing-${runs}`;
    const handler = async () => {
      count += 1;
      throw failure;
    };
    const consumer = bus.consume(queue, handler, options);
    await bus.publish(queue, [message("c1")]);
    await until(async () => (await stateOf(bus, queue, "c1")) === "failed");
    await consumer.stop();
    expect(count).toBe(runs);
    expect(await bus.counts(queue)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 1 });
  });

  test("reports how many messages were handled lately, and since when the next one waits", async () => {
    const idle = { handledLastMinute: 0, handledLastFiveMinutes: 0, oldestWaitingAt: undefined };
    expect(await bus.pace("paced")).toEqual(idle);
    const published = Date.now();
    await bus.publish("paced", [message("p1")]);
    const { oldestWaitingAt } = await bus.pace("paced");
    expect(oldestWaitingAt?.getTime()).toBeGreaterThanOrEqual(published);
    await bus.publish("paced", [message("p2")]);
    expect(await bus.pace("paced")).toEqual({ ...idle, oldestWaitingAt });
    const consumer = bus.consume("paced", async () => {}, { ...options, concurrency: 1 });
    await until(async () => (await stateOf(bus, "paced", "p2")) === "done");
    await consumer.stop();
    expect(await bus.pace("paced")).toEqual({
      ...idle,
      handledLastMinute: 2,
      handledLastFiveMinutes: 2,
    });
    const realNow = Date.now;
    const later = vi.spyOn(Date, "now");
    try {
      later.mockImplementation(() => realNow() + 2 * 60_000);
      expect(await bus.pace("paced")).toEqual({ ...idle, handledLastFiveMinutes: 2 });
      later.mockImplementation(() => realNow() + 6 * 60_000);
      expect(await bus.pace("paced")).toEqual(idle);
    } finally {
      later.mockRestore();
    }
  });

  test("reports the state of a message: missing, pending or done", async () => {
    await bus.publish("states", [message("d1")]);
    expect(await bus.states("states", ["d1", "d2"])).toEqual(
      new Map([
        ["d1", "pending"],
        ["d2", "missing"],
      ]),
    );
    const consumer = bus.consume("states", async () => {}, options);
    await until(async () => (await stateOf(bus, "states", "d1")) === "done");
    await consumer.stop();
  });

  test("removes the data of a completed message from the store", async () => {
    await bus.publish("wiped", [message("e1")]);
    expect(await backend.dump()).toContain("data of e1");
    const consumer = bus.consume("wiped", async () => {}, options);
    await until(async () => (await stateOf(bus, "wiped", "e1")) === "done");
    expect(await backend.readData("wiped", "e1")).toEqual({});
    expect(await backend.dump()).not.toContain("data of e1");
    await consumer.stop();
  });

  test("does not run the handler again after a crash between removal of the data and completion", async () => {
    let runs = 0;
    await bus.publish("crashed", [message("f1")]);
    await backend.wipeData("crashed", "f1");
    const consumer = bus.consume("crashed", async () => void (runs += 1), options);
    await until(async () => (await stateOf(bus, "crashed", "f1")) === "done");
    expect(runs).toBe(0);
    await consumer.stop();
  });

  test("stops after the active message without taking another", async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const handler = async () => {
      started.resolve();
      await finish.promise;
    };
    const consumer = bus.consume("drained", handler, { concurrency: 1, attemptsMax: 5 });
    await bus.publish("drained", [message("g1"), message("g2")]);
    await started.promise;
    const stopped = consumer.stop();
    finish.resolve();
    await stopped;
    expect([...(await bus.states("drained", ["g1", "g2"])).values()].toSorted()).toEqual([
      "done",
      "pending",
    ]);
  });

  test("runs the message of a killed worker again in another worker", async () => {
    await bus.publish("stalled", [message("h1")]);
    const script = `
      import { createBullmqBus } from ${JSON.stringify(import.meta.resolve("./bullmq-bus.ts"))};
      import { createLogger } from ${JSON.stringify(import.meta.resolve("../observe/logger.ts"))};
      const logger = createLogger({ service: "test", level: "silent" });
      const bus = createBullmqBus({ backend: ${JSON.stringify(backend.backend)}, logger, attemptsMax: 20, lockMilliseconds: 500, stalledMilliseconds: 200 });
      bus.consume("stalled", () => new Promise(() => console.log("taken")), { concurrency: 1, attemptsMax: 5 });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    let runs = 0;
    const consumer = bus.consume("stalled", async () => void (runs += 1), options);
    await until(async () => (await stateOf(bus, "stalled", "h1")) === "done");
    expect(runs).toBe(1);
    await consumer.stop();
  });
});

/** Eight round trips would miss the deadline at each repetition. The relay would then never mark its rows as published. */
test("a few messages to a slow Postgres are published within the deadline, once and in order", async () => {
  const backend = await openTestBackend("postgres", urls);
  const { url } = backend.database;
  const proxy = await startTcpProxy({ targets: [`http://${new URL(url).host}`] });
  const through = new URL(url);
  through.host = new URL(proxy.url).host;
  const slow = backend.createBus({
    backend: { kind: "postgres", url: through.href, schema: "bus" },
    commandMilliseconds: 3_000,
  });
  await slow.publish("slow", [message("first")]);
  proxy.delay(200);
  const few = Array.from({ length: 8 }, (_, index) => message(`s${index}`));
  await slow.publish("slow", few);
  await proxy.heal();
  const runs: unknown[] = [];
  const one = { ...options, concurrency: 1 };
  const consumer = slow.consume("slow", async (received) => void runs.push(received), one);
  await until(async () => (await stateOf(slow, "slow", "s7")) === "done");
  expect(runs).toEqual([message("first"), ...few]);
  await consumer.stop();
  await backend.close();
  await proxy.stop();
});

/** Without that, they would find a message by their next poll, five seconds after the last one. */
test("all consumers of a bus on Postgres listen again after their connection is lost", async () => {
  const backend = await openTestBackend("postgres", urls);
  const bus = backend.createBus();
  const queues = ["heard", "heard too"];
  const runs: string[] = [];
  for (const queue of queues)
    bus.consume(queue, async ({ id }) => void runs.push(id), { ...options, concurrency: 1 });
  const publishAll = (id: string) =>
    Promise.all(queues.map((queue) => bus.publish(queue, [message(`${id} ${queue}`)])));
  const listening = async (): Promise<number[]> => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and query like '%LISTEN bullmq_jobs%' and pid <> pg_backend_pid()`.execute(
      backend.db,
    );
    return rows.map(({ pid }) => pid);
  };
  await publishAll("first");
  await until(() => runs.length === 2);
  const [lost = 0, ...others] = await until(async () => {
    const pids = await listening();
    return pids.length > 0 ? pids : undefined;
  });
  expect(others).toEqual([]);
  await sql`select pg_terminate_backend(${lost})`.execute(backend.db);
  await until(async () => (await listening()).some((pid) => pid !== lost), { timeoutMs: 5_000 });
  await publishAll("second");
  await until(() => runs.length === 4, { timeoutMs: 2_000 });
  await backend.close();
});

// Excluded from the leak check: after an error, BullMQ's stall check sleeps five seconds, even if it is closed.
describe.each(backendKinds)("while the %s store is unavailable", (kind) => {
  test("publishing rejects in time, and a consumer starts late and survives a lost store", async () => {
    const fragile = await openFragileBackend(kind, urls);
    const bus = fragile.createBus({ commandMilliseconds: 1_000 });
    const runs: string[] = [];
    bus.consume("late", async ({ id }) => void runs.push(id), options);
    const startedAt = performance.now();
    await expect(bus.publish("late", [message("a1")])).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await fragile.bringUp();
    await until(() => bus.publish("late", [message("a1")]).then(() => true));
    await until(() => runs.includes("a1"));
    await fragile.loseAndReturn();
    await until(() => bus.publish("late", [message("a2")]).then(() => true));
    await until(() => runs.includes("a2"));
    await fragile.close();
  });

  test("a bus closes in time without a store", async () => {
    const fragile = await openFragileBackend(kind, urls);
    const startedAt = performance.now();
    const early = fragile.createBus();
    early.consume("idle", async () => {}, options);
    await early.close();
    await fragile.bringUp();
    const bus = fragile.createBus();
    let runs = 0;
    bus.consume("idle", async () => void (runs += 1), options);
    await until(() => bus.publish("idle", [message("b1")]).then(() => true));
    await until(() => runs === 1);
    await fragile.lose();
    await expect(bus.ping()).rejects.toThrow();
    await bus.close();
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    await fragile.close();
  });
});
