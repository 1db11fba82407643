import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import {
  claimOptions,
  newTextId,
  openWebhooks,
  recordedOf,
} from "../../db/test-webhooks.fixture.ts";
import { claimDeliveries, deleteEmptyLane } from "./queries.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

const claim = (over: Partial<typeof claimOptions> = {}) =>
  claimDeliveries(fixture.db, { ...claimOptions, ...over });

test("an empty lane that gets a delivery in the meantime is kept", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  const userId = newTextId();
  await fixture.record([recordedOf(userId)]);
  await fixture.db.deleteFrom("delivery").where("endpointId", "=", id).execute();
  const empty = (await claim()).find(({ endpointId }) => endpointId === id);
  if (empty?.id !== null) throw new Error("the lane is not empty");
  await fixture.record([recordedOf(userId)]);
  await deleteEmptyLane(fixture.db, empty);
  const next = (await claim()).find(({ endpointId }) => endpointId === id);
  const [delivery] = await fixture.deliveriesOf(id);
  expect(next?.id).toBe(delivery?.id);
});

test("an endpoint with older deliveries does not take all turns", async () => {
  const busy = await fixture.endpoint({ url: "https://busy.example" });
  await fixture.record(Array.from({ length: 20 }, () => recordedOf(newTextId())));
  const idle = await fixture.endpoint({ url: "https://idle.example" });
  await fixture.record([recordedOf(newTextId())]);
  const claimed = await claim({ limit: 2, running: new Map([[busy.id, 5]]) });
  expect(claimed.map(({ endpointId }) => endpointId)).toContain(idle.id);
});

test("failing endpoints have a smaller share of the requests than new ones", async () => {
  const [failing, fresh] = [newTextId(), newTextId()];
  const failingIds = await fixture.endpoints(8, {
    url: "https://failing.example",
    events: ["user.banned"],
  });
  const freshIds = await fixture.endpoints(8, {
    url: "https://new.example",
    events: ["user.unbanned"],
  });
  await fixture.db
    .updateTable("endpoint")
    .set({ failingSince: new Date() })
    .where("id", "in", failingIds)
    .execute();
  await fixture.record([recordedOf(failing, { type: "user.banned" })]);
  await fixture.record([recordedOf(fresh, { type: "user.unbanned" })]);
  const claimed = await claim({ failingMax: 3, unprovenMax: 8 });
  const countOf = (ids: readonly string[]) =>
    claimed.filter(({ endpointId }) => ids.includes(endpointId)).length;
  expect(countOf(failingIds)).toBeLessThanOrEqual(3);
  expect(countOf(failingIds) + countOf(freshIds)).toBeLessThanOrEqual(8);
  expect(countOf(freshIds)).toBeGreaterThan(0);
});
