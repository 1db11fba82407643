import { createSecretRing } from "@latchkey/crypto";
import { until } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { Bus } from "../bus/bus.ts";
import { backendKinds, openTestBackend, type TestBackend } from "../bus/test-backend.fixture.ts";
import { UnretryableError } from "../bus/unretryable-error.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { consumeEvents } from "./consume-events.ts";
import {
  mailerIdle,
  appendOwnUpdate,
  appendUpdates,
  appendVerification,
  consumeIdentity,
  consumeMailer,
  countOnce,
  effectsOf,
  isEmpty,
  keep,
  outboxOf,
  secretUrl,
  startRelay,
  stopAll,
  unread,
} from "./test-events.fixture.ts";

const urls = { databaseUrl: inject("databaseUrl"), redisUrl: inject("redisUrl") };

afterEach(stopAll);

describe.each(backendKinds)("on %s", (kind) => {
  let backend: TestBackend;
  let db: Kysely<KitTables>;
  let bus: Bus;

  beforeEach(async () => {
    backend = await openTestBackend(kind, urls);
    ({ db } = backend);
    bus = backend.createBus();
    return () => backend.close();
  });

  test("delivers an event unchanged and then removes it from the outbox", async () => {
    const events: unknown[] = [];
    await appendVerification(db);
    const [row] = await outboxOf(db);
    consumeMailer(bus, async (event) => void events.push(event));
    startRelay(db, bus);
    await until(() => isEmpty(db));
    const data = { userId: "u1", email: "ada@example.test", name: "Ada", url: secretUrl };
    expect(events).toEqual([
      {
        id: row?.id,
        name: "verification.requested",
        version: 1,
        occurredAt: expect.any(String),
        data,
      },
    ]);
  });

  test("publishes at once after a wake", async () => {
    await appendUpdates(db, ["u1"]);
    const relay = startRelay(db, bus, { sweepMilliseconds: 3_600_000 });
    await until(async () => (await relay.lag()).waiting === 0); // the first pass needs no wake
    await appendUpdates(db, ["u2"]);
    expect((await relay.lag()).waiting).toBe(1);
    relay.wake();
    await until(async () => (await relay.lag()).waiting === 0);
  });

  test("opens no transaction while there is nothing to do", async () => {
    let begun = 0;
    let looks = 0;
    const watched = new Proxy(db, {
      get: (target, name) => {
        if (name === "transaction") begun += 1;
        if (name === "getExecutor") looks += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    startRelay(watched, bus);
    // The first pass looks for events of an earlier process, and confirms.
    await until(() => begun === 2);
    const before = looks;
    await until(() => looks >= before + 5);
    expect(begun).toBe(2);
    // Written by another process, which cannot wake this relay.
    await appendUpdates(db, ["u1"]);
    await until(async () => (await outboxOf(db))[0]?.publishedAt);
  });

  test("publishes each of 200 events once with two relays", async () => {
    const published: string[] = [];
    const counting: Bus = {
      ...bus,
      publish: async (queue, messages) => {
        published.push(...messages.map(({ id }) => id));
        await bus.publish(queue, messages);
      },
    };
    const userIds = Array.from({ length: 200 }, (_, index) => `u${index}`);
    await appendUpdates(db, userIds);
    const handled: string[] = [];
    consumeIdentity(bus, async (event) => void handled.push(event.data.userId));
    startRelay(db, counting);
    startRelay(db, counting);
    await until(() => isEmpty(db));
    expect(handled.toSorted()).toEqual(userIds.toSorted());
    expect(new Set(published).size).toBe(200);
    expect(published.length).toBe(200);
  });

  test("deletes an own event that its writer has applied, without publishing it", async () => {
    const id = await appendOwnUpdate(db, "u1");
    const relay = startRelay(db, bus, { confirmAfterMilliseconds: 3_600_000 });
    expect((await relay.lag()).waiting).toBe(0);
    relay.settle(id);
    await until(() => isEmpty(db));
    expect(await bus.states("identity", [id])).toEqual(new Map([[id, "missing"]]));
  });

  /** Fault: the writer is killed between its commit and its effect. */
  test("publishes an own event that its writer has not applied", async () => {
    const handled: string[] = [];
    consumeIdentity(bus, async (event) => void handled.push(event.data.userId));
    await appendOwnUpdate(db, "u1");
    startRelay(db, bus);
    await until(() => isEmpty(db));
    expect(handled).toEqual(["u1"]);
  });

  test("deletes applied events when it stops", async () => {
    const id = await appendOwnUpdate(db, "u1");
    const relay = startRelay(db, bus, { sweepMilliseconds: 3_600_000 });
    relay.settle(id);
    await relay.stop();
    expect(await outboxOf(db)).toEqual([]);
  });

  test("attack: a dump of the outbox or the bus does not reveal an encrypted event", async () => {
    await appendVerification(db);
    const [row] = await outboxOf(db);
    expect(JSON.stringify(row)).not.toMatch(/hush-hush|ada@example/);
    const relay = startRelay(db, bus);
    await until(async () => (await relay.lag()).waiting === 0);
    const dump = await backend.dump();
    expect(dump).toContain(row?.id);
    expect(dump).not.toMatch(/hush-hush|ada@example/);
  });

  test("applies an event once if it is delivered twice", async () => {
    await appendUpdates(db, ["u1"]);
    const [row] = await outboxOf(db);
    const id = row?.id ?? "";
    const data = { ...row, occurredAt: row?.occurredAt.toISOString() };
    let deliveries = 0;
    consumeIdentity(bus, async (event) => {
      await countOnce(db, event.id);
      deliveries += 1;
    });
    await bus.publish("identity", [
      { id, name: "user.updated", data },
      { id: `${id}-again`, name: "user.updated", data },
    ]);
    await until(() => deliveries === 2);
    expect(await effectsOf(db)).toEqual([id]);
  });

  test("keeps a failed event in the outbox without another attempt", async () => {
    let runs = 0;
    consumeIdentity(bus, async () => {
      runs += 1;
      throw new UnretryableError("never");
    });
    await appendUpdates(db, ["u1"]);
    const relay = startRelay(db, bus, { confirmAfterMilliseconds: 1 });
    const first = await until(async () => (await outboxOf(db))[0]?.publishedAt);
    await until(async () => (await bus.counts("identity"))["failed"] === 1);
    // The relay checks it again and leaves it unchanged.
    await until(async () => ((await outboxOf(db))[0]?.publishedAt ?? first) > first);
    await relay.stop();
    expect(runs).toBe(1);
    expect((await outboxOf(db)).length).toBe(1);
  });

  test.each([
    ["an unknown version", { version: 99, data: '{"userId":"u1"}' }],
    ["data that fails the schema", { version: 1, data: '{"userId":1}' }],
    ["data that is not JSON", { version: 1, data: "{" }],
    ["no event at all", {}],
  ])("fails a message with %s at once, without calling a handler", async (_case, part) => {
    let runs = 0;
    consumeIdentity(bus, async () => void (runs += 1));
    const data = { id: "bad", name: "user.updated", occurredAt: new Date().toISOString(), ...part };
    await bus.publish("identity", [{ id: "bad", name: "user.updated", data }]);
    await until(async () => (await bus.counts("identity"))["failed"] === 1);
    expect(runs).toBe(0);
  });

  test("attack: rejects a message that is not encrypted with the installation's secret", async () => {
    await appendVerification(db);
    const [row] = await outboxOf(db);
    let runs = 0;
    keep(
      consumeEvents({
        bus,
        service: "mailer",
        ring: createSecretRing(["another secret, as long as it needs to be"]),
        handlers: { ...mailerIdle, "verification.requested": async () => void (runs += 1) },
        concurrency: 1,
        metrics: unread(),
      }),
    );
    const envelope = { ...row, occurredAt: row?.occurredAt.toISOString() };
    const open = JSON.stringify({ userId: "u1", email: "e", name: "n", url: "https://evil.test" });
    await bus.publish("mailer", [
      { id: "other-secret", name: "verification.requested", data: envelope },
      { id: "not-sealed", name: "verification.requested", data: { ...envelope, data: open } },
    ]);
    await until(async () => (await bus.counts("mailer"))["failed"] === 2);
    expect(runs).toBe(0);
  });

  test("leaves rows of unknown events to a newer replica", async () => {
    await sql`insert into kit.outbox (id, name, version, occurred_at, data) values ('new-1', 'not.known', 1, now(), '{}')`.execute(
      db,
    );
    consumeIdentity(bus, async () => {});
    await appendUpdates(db, ["u1"]);
    startRelay(db, bus);
    await until(async () => (await outboxOf(db)).length === 1);
    expect(await outboxOf(db)).toMatchObject([{ id: "new-1", publishedAt: null }]);
  });
});
