import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, openWebhooks, recordedOf } from "../../db/test-webhooks.fixture.ts";
import { claimDeliveries, deleteEmptyLane } from "./queries.ts";

expectNoLeaks("file");

const it = await openWebhooks();

const claim = (limit = 1_000, running: ReadonlyMap<string, number> = new Map()) =>
  claimDeliveries(it.db, {
    running,
    concurrency: 10,
    failingConcurrency: 2,
    membersHaveWebhooks: false,
    failingMax: 100,
    unprovenMax: 200,
    limit,
    leaseSeconds: 60,
  });

test("an empty lane that gets a delivery in the meantime is kept", async () => {
  const { id } = await it.endpoint({ url: "https://example.com" });
  const userId = newTextId();
  await it.record([recordedOf(userId)]);
  await it.db.deleteFrom("delivery").where("endpointId", "=", id).execute();
  const empty = (await claim()).find(({ endpointId }) => endpointId === id);
  if (empty?.id !== null) throw new Error("the lane is not empty");
  await it.record([recordedOf(userId)]);
  await deleteEmptyLane(it.db, empty);
  const next = (await claim()).find(({ endpointId }) => endpointId === id);
  const [delivery] = await it.deliveriesOf(id);
  expect(next?.id).toBe(delivery?.id);
});

test("an endpoint with older deliveries does not take all turns", async () => {
  const busy = await it.endpoint({ url: "https://busy.example" });
  await it.record(Array.from({ length: 20 }, () => recordedOf(newTextId())));
  const idle = await it.endpoint({ url: "https://idle.example" });
  await it.record([recordedOf(newTextId())]);
  const claimed = await claim(2, new Map([[busy.id, 5]]));
  expect(claimed.map(({ endpointId }) => endpointId)).toContain(idle.id);
});

test("failing endpoints have a smaller share of the requests than new ones", async () => {
  const [failing, fresh] = [newTextId(), newTextId()];
  const failingIds = await it.endpoints(8, {
    url: "https://failing.example",
    events: ["user.banned"],
  });
  const freshIds = await it.endpoints(8, { url: "https://new.example", events: ["user.unbanned"] });
  await it.db
    .updateTable("endpoint")
    .set({ failingSince: new Date() })
    .where("id", "in", failingIds)
    .execute();
  await it.record([recordedOf(failing, { type: "user.banned" })]);
  await it.record([recordedOf(fresh, { type: "user.unbanned" })]);
  const claimed = await claimDeliveries(it.db, {
    running: new Map(),
    concurrency: 10,
    failingConcurrency: 2,
    membersHaveWebhooks: false,
    failingMax: 3,
    unprovenMax: 8,
    limit: 1_000,
    leaseSeconds: 60,
  });
  const countOf = (ids: readonly string[]) =>
    claimed.filter(({ endpointId }) => ids.includes(endpointId)).length;
  expect(countOf(failingIds)).toBeLessThanOrEqual(3);
  expect(countOf(failingIds) + countOf(freshIds)).toBeLessThanOrEqual(8);
  expect(countOf(freshIds)).toBeGreaterThan(0);
});
