import { expectNoLeaks } from "@latchkey/testkit";
import type { operations } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { adminListWebhookDeliveries } from "../admin/deliveries.ts";
import { adminListEvents } from "../admin/list-events.ts";
import {
  callBy,
  newTextId,
  openWebhooks,
  recordedOf,
  replyOf,
} from "../db/test-webhooks.fixture.ts";
import type { Deps } from "../deps.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { sendTestEvent } from "./send-test-event.ts";

expectNoLeaks("file");

const it = await openWebhooks();
const { admin } = it.deps.config;
const reader = { webhook: ["list", "read"], organization: ["list"] };
const deps = {
  ...it.deps,
  config: { ...it.deps.config, admin: { ...admin, roles: { ...admin.roles, reader } } },
};

test("an admin lists the deliveries of those events alone whose objects the admin may list", async () => {
  const { id: endpointId } = await it.endpoint({ url: "https://example.com" });
  const organizationId = newTextId();
  await it.record([
    recordedOf(newTextId(), { type: "user.banned" }),
    recordedOf(organizationId, { type: "organization.updated" }),
  ]);
  await sendTestEvent(it.deps, callBy(), endpointId);
  const listAs = async (role: string) => {
    const call = callBy<typeof operations.webhooks.adminListWebhookDeliveries>({
      query: { endpointId },
      role,
    });
    const { deliveries } = await replyOf(adminListWebhookDeliveries(deps as unknown as Deps, call));
    return deliveries.map(({ eventType }) => eventType).toSorted();
  };
  expect(await listAs("reader")).toEqual(["organization.updated", "webhook.test"]);
  expect(await listAs("admin")).toEqual(["organization.updated", "user.banned", "webhook.test"]);
});

test("a reader of few events passes those of others once", async () => {
  const list = (after?: string) =>
    replyOf(
      adminListEvents(
        deps,
        callBy<typeof operations.webhooks.adminListEvents>({
          query: after === undefined ? {} : { after },
          role: "reader",
        }),
      ),
    );
  const { cursor: start } = await list();
  await it.record(Array.from({ length: 3 }, () => recordedOf(newTextId())));
  const { cursor, events } = await list(start);
  expect([events, Number(cursor) >= Number(start) + 3]).toEqual([[], true]);
  expect((await list(cursor)).cursor).toBe(cursor);
});

test("a test event is sent at once, although an earlier one has failed", async () => {
  const { id } = await it.endpoint({ url: "https://example.com" });
  await sendTestEvent(it.deps, callBy(), id);
  const inAnHour = new Date(Date.now() + 3_600_000);
  await it.db.updateTable("lane").set({ dueAt: inAnHour }).where("endpointId", "=", id).execute();
  await sendTestEvent(it.deps, callBy(), id);
  const { dueAt } = await it.db
    .selectFrom("lane")
    .select("dueAt")
    .where("endpointId", "=", id)
    .executeTakeFirstOrThrow();
  expect(dueAt.getTime()).toBeLessThan(inAnHour.getTime());
});

test("a deletion removes the address of a user who took over the contact of a webhook", async () => {
  const { id } = await it.endpoint({ url: "https://example.com" });
  const call = callBy();
  const grace = { id: newTextId(), email: "grace@example.com", name: "Grace", role: "admin" };
  const acting = { ...call, session: { ...call.session, user: grace } } as typeof call;
  await changeEndpoint(it.deps, acting, { id, given: { contactEmail: grace.email } });
  await it.record([recordedOf(newTextId(), { type: "user.deleted" })]);
  expect((await it.endpointOf(id)).contactEmail).toBe(grace.email);
  await it.record([recordedOf(grace.id, { type: "user.deleted" })]);
  expect(await it.endpointOf(id)).toMatchObject({ contactEmail: "", contactName: "" });
});
