import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callBy, newTextId, openWebhooks, recordedOf } from "../../db/test-webhooks.fixture.ts";
import { deleteEndpoint, rotateSecret } from "../../endpoints/change-endpoint.ts";
import { replayEvents } from "../manage-deliveries.ts";
import { sweepDeliveries } from "../sweep-deliveries.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();
const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);

const record = (subjectId: string, type?: string) => {
  const event = recordedOf(subjectId, type === undefined ? {} : { type });
  return fixture.record([event]).then(() => event.id);
};
const eventIds = async (subjectId: string) => {
  const rows = fixture.db.selectFrom("event").select("id").where("subjectId", "=", subjectId);
  return (await rows.execute()).map(({ id }) => id);
};
const lanesOf = (endpointId: string) =>
  fixture.db.selectFrom("lane").select("pending").where("endpointId", "=", endpointId).execute();
const age = async (eventId: string) => {
  await fixture.db
    .updateTable("event")
    .set({ recordedAt: ago(40) } as never)
    .where("id", "=", eventId)
    .execute();
  await fixture.db
    .updateTable("delivery")
    .set({ createdAt: ago(40) } as never)
    .where("eventId", "=", eventId)
    .execute();
};

test("a sweep keeps an old event that a replay will send, and later deletes it with the delivery", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  const userId = newTextId();
  const eventId = await record(userId);
  await age(eventId);
  const period = { from: ago(1), to: ago(-1) };
  await replayEvents(fixture.deps, callBy(), { endpointId: id, ...period, after: 0 });
  await sweepDeliveries(fixture.deps);
  expect((await fixture.deliveriesOf(id)).map(({ isReplay }) => isReplay)).toEqual([true]);
  expect(await eventIds(userId)).toEqual([eventId]);
  await fixture.db
    .updateTable("delivery")
    .set({ state: "failed" })
    .where("endpointId", "=", id)
    .execute();
  await sweepDeliveries(fixture.deps);
  expect([await eventIds(userId), await fixture.deliveriesOf(id)]).toEqual([[], []]);
});

test("a sweep takes deleted deliveries off their lanes", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  const [gone, both] = [newTextId(), newTextId()];
  await age(await record(gone));
  await age(await record(both));
  await record(both);
  await sweepDeliveries(fixture.deps);
  expect(await fixture.deliveriesOf(id)).toHaveLength(1);
  expect(await lanesOf(id)).toEqual([{ pending: 1 }]);
});

test("a sweep deletes the webhooks of a deleted organization once their events are sent", async () => {
  const organizationId = newTextId();
  const { id } = await fixture.endpoint({ url: "https://example.com", organizationId });
  const other = await fixture.endpoint({ url: "https://example.com", organizationId: newTextId() });
  await record(organizationId, "organization.deleted");
  await sweepDeliveries(fixture.deps);
  expect((await fixture.endpointOf(id)).id).toBe(id);
  await fixture.db.deleteFrom("lane").where("endpointId", "=", id).execute();
  await sweepDeliveries(fixture.deps);
  await expect(fixture.endpointOf(id)).rejects.toThrow();
  expect((await fixture.endpointOf(other.id)).id).toBe(other.id);
  expect((await fixture.auditOf(id)).at(-1)).toMatchObject({
    action: "webhook.deleted",
    actorKind: "system",
  });
});

test("a sweep deletes a former secret once its overlap has ended", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  await rotateSecret(fixture.deps, callBy(), { id, overlapSeconds: 60 });
  await sweepDeliveries(fixture.deps);
  expect((await fixture.endpointOf(id)).formerSecretSealed).not.toBeNull();
  await sweepDeliveries({ ...fixture.deps, clock: () => Date.now() + 61_000 });
  expect(await fixture.endpointOf(id)).toMatchObject({
    formerSecretSealed: null,
    formerSecretUntil: null,
  });
});

test("a sweep deletes what a deleted webhook left, and only that", async () => {
  const gone = await fixture.endpoint({ url: "https://example.com" });
  const remaining = await fixture.endpoint({ url: "https://example.com" });
  await record(newTextId());
  await deleteEndpoint(fixture.deps, callBy(), { id: gone.id });
  // A transaction that began before the deletion may still add deliveries.
  await sweepDeliveries(fixture.deps);
  const noted = () =>
    fixture.db.selectFrom("deletedEndpoint").select("id").where("id", "=", gone.id).execute();
  expect([await fixture.deliveriesOf(gone.id), await lanesOf(gone.id)]).toEqual([[], []]);
  expect(await noted()).toHaveLength(1);
  await sweepDeliveries({ ...fixture.deps, clock: () => Date.now() + 2 * 3_600_000 });
  expect(await noted()).toEqual([]);
  expect(await fixture.deliveriesOf(remaining.id)).toHaveLength(1);
});
