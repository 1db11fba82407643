import { until } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { Bus } from "../bus/bus.ts";
import { type FragileBackend, openFragileBackend } from "../bus/fragile-backend.fixture.ts";
import { backendKinds } from "../bus/test-backend.fixture.ts";
import type { KitTables } from "../database/kit-tables.ts";
import {
  appendUpdates,
  consumeIdentity,
  countOnce,
  effectsOf,
  isEmpty,
  startRelay,
  stopAll,
} from "./test-events.fixture.ts";

const urls = { databaseUrl: inject("databaseUrl") };

afterEach(stopAll);

describe.each(backendKinds)("while the %s store is unavailable", (kind) => {
  let fragile: FragileBackend;
  let db: Kysely<KitTables>;
  let bus: Bus;

  beforeEach(async () => {
    fragile = await openFragileBackend(kind, urls);
    ({ db } = fragile);
    bus = fragile.createBus({ commandMilliseconds: 500 });
    return () => fragile.close();
  });

  test("keeps events in the outbox and delivers them after recovery", async () => {
    await appendUpdates(db, ["u1", "u2"]);
    let attempts = 0;
    const watched: Bus = {
      ...bus,
      publish: (queue, messages) => {
        attempts += 1;
        return bus.publish(queue, messages);
      },
    };
    const relay = startRelay(db, watched);
    consumeIdentity(bus, async (event) => void (await countOnce(db, event.id)));
    await until(() => attempts >= 2);
    expect((await relay.lag()).waiting).toBe(2);
    await fragile.bringUp();
    await until(() => isEmpty(db));
    expect((await effectsOf(db)).length).toBe(2);
  });

  test("applies each event once if the store loses data before consumption", async () => {
    await fragile.bringUp();
    const ids = ["u1", "u2", "u3"];
    await appendUpdates(db, ids);
    const relay = startRelay(db, bus, { confirmAfterMilliseconds: 300 });
    await until(async () => (await relay.lag()).waiting === 0);
    await fragile.loseAndReturn();
    consumeIdentity(bus, async (event) => void (await countOnce(db, event.id)));
    await until(() => isEmpty(db));
    const effects = await effectsOf(db);
    expect(effects.length).toBe(3);
    expect(new Set(effects).size).toBe(3);
  });

  test("applies a lost event even if the clock of its relay was an hour ahead", async () => {
    await fragile.bringUp();
    await appendUpdates(db, ["u1"]);
    const relay = startRelay(db, bus, {
      confirmAfterMilliseconds: 3_600_000,
      clock: () => Date.now() + 3_600_000,
    });
    await until(async () => (await relay.lag()).waiting === 0);
    await relay.stop();
    await fragile.loseAndReturn();
    consumeIdentity(bus, async (event) => void (await countOnce(db, event.id)));
    startRelay(db, bus);
    await until(() => isEmpty(db));
    expect(await effectsOf(db)).toHaveLength(1);
  });

  test("applies each event once if the store loses data after consumption", async () => {
    await fragile.bringUp();
    await appendUpdates(db, ["u1"]);
    let deliveries = 0;
    consumeIdentity(bus, async (event) => {
      await countOnce(db, event.id);
      deliveries += 1;
    });
    const relay = startRelay(db, bus, { confirmAfterMilliseconds: 3_600_000 });
    await until(() => deliveries === 1);
    await relay.stop();
    await fragile.loseAndReturn();
    startRelay(db, bus);
    await until(() => isEmpty(db));
    expect(deliveries).toBe(2);
    expect((await effectsOf(db)).length).toBe(1);
  });
});
