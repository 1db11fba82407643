import { unseal } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import type { operations } from "@latchkey/contracts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { adminGetWebhookDelivery, adminListWebhookDeliveries } from "../admin/deliveries.ts";
import { adminGetWebhook, adminListWebhooks } from "../admin/endpoints.ts";
import { adminListEvents } from "../admin/events.ts";
import {
  callBy,
  newTextId,
  openWebhooks,
  recordedOf,
  replyOf,
} from "../db/test-webhooks.fixture.ts";
import type { Deps } from "../deps.ts";
import {
  getOrganizationWebhookDelivery,
  listOrganizationWebhooks,
} from "../organizations/endpoints.ts";
import { changeEndpoint, createEndpoint } from "./change-endpoint.ts";
import { countContactMail, updateContactAddresses } from "./queries.ts";
import { pauseFailing } from "./system-changes.ts";
import { sendTestEvent } from "../deliveries/manage-deliveries.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();
const { admin } = fixture.deps.config;
const reader = { webhook: ["list", "read"], organization: ["list"] };
const deps = {
  ...fixture.deps,
  config: { ...fixture.deps.config, admin: { ...admin, roles: { ...admin.roles, reader } } },
};

const [bare, whole] = [
  "https://example.com/hooks",
  "https://example.com/hooks?key=secret",
] as const;

/** Pauses a webhook that has failed for long, and returns the mails about it. */
const pausedMails = async (id: string) => {
  const { db, ring } = fixture.deps;
  await db.deleteFrom("outbox").execute();
  const failingSince = new Date(Date.now() - 30 * 86_400_000);
  await db
    .updateTable("endpoint")
    .set({ state: "active", failingSince })
    .where("id", "=", id)
    .execute();
  expect(await pauseFailing(fixture.deps, [id])).toBe(1);
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "webhook.paused")
    .execute();
  return rows.map(({ data }) => JSON.parse(unseal(ring, "event", data) ?? data) as object);
};

test("an admin lists the deliveries of those events alone whose objects the admin may list", async () => {
  const { id: endpointId } = await fixture.endpoint({ url: "https://example.com" });
  const organizationId = newTextId();
  await fixture.record([
    recordedOf(newTextId(), { type: "user.banned" }),
    recordedOf(organizationId, { type: "organization.updated" }),
  ]);
  await sendTestEvent(fixture.deps, callBy(), endpointId);
  const listAs = async (role: string) => {
    const call = callBy<typeof operations.webhooks.adminListWebhookDeliveries>({
      query: { endpointId },
      role,
    });
    const { deliveries } = await replyOf(adminListWebhookDeliveries(deps, call));
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
  await fixture.record(Array.from({ length: 3 }, () => recordedOf(newTextId())));
  const { cursor, events } = await list(start);
  expect([events, Number(cursor) >= Number(start) + 3]).toEqual([[], true]);
  expect((await list(cursor)).cursor).toBe(cursor);
});

test("an admin lists the webhooks that need attention first, page by page, and chosen ones", async () => {
  const organizationId = newTextId();
  const url = "https://example.com";
  const created = [];
  for (const own of [
    { state: "active", failingSince: new Date() },
    { state: "disabled", stateReason: "gone" },
    { state: "paused", stateReason: "user" },
    { state: "active" },
    { state: "active" },
  ] as const) {
    const { id } = await fixture.endpoint({ url, organizationId });
    await fixture.db.updateTable("endpoint").set(own).where("id", "=", id).execute();
    created.push(id);
  }
  const list = async (query: object) => {
    const { webhooks, nextCursor } = await replyOf(
      adminListWebhooks(
        fixture.deps,
        callBy<typeof operations.webhooks.adminListWebhooks>({ query }),
      ),
    );
    return { ids: webhooks.map(({ id }) => id), nextCursor };
  };
  const [failing, gone, paused, older, newer] = created;
  const byCondition = { organizationId, sortBy: "condition", sortDirection: "asc", limit: 3 };
  const first = await list(byCondition);
  expect(first.ids).toEqual([failing, gone, paused]);
  const { ids } = await list({ ...byCondition, cursor: first.nextCursor });
  expect(ids).toEqual([newer, older]);
  expect((await list({ ids: [gone, older] })).ids.toSorted()).toEqual([gone, older].toSorted());
});

test("a test event is sent at once, although an earlier one has failed", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  await sendTestEvent(fixture.deps, callBy(), id);
  const inAnHour = new Date(Date.now() + 3_600_000);
  await fixture.db
    .updateTable("lane")
    .set({ dueAt: inAnHour })
    .where("endpointId", "=", id)
    .execute();
  await sendTestEvent(fixture.deps, callBy(), id);
  const { dueAt } = await fixture.db
    .selectFrom("lane")
    .select("dueAt")
    .where("endpointId", "=", id)
    .executeTakeFirstOrThrow();
  expect(dueAt.getTime()).toBeLessThan(inAnHour.getTime());
});

/** Attack: a member has mails of the product sent to strangers. */
test("members name only members as a contact, and admins name any user", async () => {
  const organizationId = newTextId();
  const url = "https://example.com";
  const { id } = await fixture.endpoint({ url, organizationId });
  const change = (contactEmail: string, named: { organizationId?: string }) =>
    changeEndpoint(fixture.deps, callBy(), { id, ...named, given: { contactEmail } });
  const refused = { code: "WEBHOOK_CONTACT_NOT_ALLOWED" };
  const stranger = "eve@elsewhere.example";
  await expect(change(stranger, { organizationId })).rejects.toMatchObject(refused);
  const byMember = { url, organizationId, byMembers: true, contactEmail: stranger };
  await expect(fixture.endpoint(byMember)).rejects.toMatchObject(refused);
  const member = "ada@member.example";
  expect((await change(member, { organizationId })).contactEmail).toBe(member);
  expect((await change(stranger, {})).contactEmail).toBe(stranger);
  const identity = { ...fixture.deps.identity, call: async () => ({ users: [] }) as never };
  const unproven = changeEndpoint({ ...fixture.deps, identity }, callBy(), {
    id,
    given: { contactEmail: "nobody@example.com" },
  });
  await expect(unproven).rejects.toMatchObject(refused);
});

test("a creator whose address is unproven is no contact", async () => {
  const call = callBy();
  const user = { ...call.session.user, emailVerified: false };
  const acting = { ...call, session: { ...call.session, user } };
  const input = { url: "https://example.com", events: [], organizationId: null };
  expect((await createEndpoint(fixture.deps, acting, input)).contactEmail).toBe("");
});

test("a member who leaves the organization is no contact of it any more", async () => {
  const organizationId = newTextId();
  const member = "ada@member.example";
  const contact = { url: "https://example.com", contactEmail: member };
  const { id } = await fixture.endpoint({ ...contact, organizationId });
  const other = await fixture.endpoint({ ...contact, organizationId: newTextId() });
  await fixture.record([
    {
      ...recordedOf(organizationId, { type: "member.removed" }),
      subject: { kind: "organization", id: organizationId },
      data: { organizationId, memberId: newTextId(), userId: member },
    },
  ]);
  expect((await fixture.endpointOf(id)).contactEmail).toBe("");
  expect((await fixture.endpointOf(other.id)).contactEmail).toBe(member);
});

/** Attack: the holder of a mailbox that a user no longer has, or that another user has taken over, reads about their webhooks. */
test("a contact follows the address of the user, and gets no mail while that is unproven", async () => {
  const { id } = await fixture.endpoint({
    url: "https://example.com",
    contactEmail: "ada@member.example",
  });
  const { contactUserId } = await fixture.endpointOf(id);
  const contactAfter = async (
    changes: string[],
    user: { email: string; emailVerified: boolean },
  ) => {
    const updated = recordedOf(contactUserId ?? "");
    await fixture.record([{ ...updated, data: { ...updated.data, user, changes } }]);
    return (await fixture.endpointOf(id)).contactEmail;
  };
  const email = "ada@new.example";
  expect(await contactAfter(["email", "emailVerified"], { email, emailVerified: false })).toBe("");
  expect(await pausedMails(id)).toEqual([]);
  expect(await contactAfter(["emailVerified"], { email, emailVerified: true })).toBe(email);
  expect(await pausedMails(id)).toMatchObject([{ userId: contactUserId, email }]);
});

test("finds the endpoints of contacts by an index", async () => {
  const { id } = await fixture.endpoint({
    url: "https://example.com",
    contactEmail: "ada@member.example",
  });
  const { contactUserId } = await fixture.endpointOf(id);
  await sql`
    insert into webhooks.endpoint select (jsonb_populate_record(endpoint,
      jsonb_build_object('id', 'copy' || n, 'contact_user_id', 'user' || n))).*
    from webhooks.endpoint cross join generate_series(1, 20000) n where endpoint.id = ${id}`.execute(
    fixture.db,
  );
  await sql`analyze webhooks.endpoint`.execute(fixture.db);
  const contact = { userId: contactUserId ?? "", email: "ada@new.example" };
  const scans = await fixture.db.transaction().execute(async (trx) => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select seq_scan::integer as count from pg_stat_xact_user_tables
        where schemaname = 'webhooks' and relname = 'endpoint'`.execute(trx);
      return rows[0]?.count ?? 0;
    };
    const before = await count();
    await updateContactAddresses(trx, [contact]);
    return (await count()) - before;
  });
  expect(scans).toBe(0);
  expect((await fixture.endpointOf(id)).contactEmail).toBe(contact.email);
  await sql`delete from webhooks.endpoint where id like 'copy%'`.execute(fixture.db);
});

test("a pause mails no address without a user, and none to a contact over the count", async () => {
  const url = "https://example.com";
  const { id } = await fixture.endpoint({ url, contactEmail: `${newTextId()}@member.example` });
  const { contactUserId } = await fixture.endpointOf(id);
  const now = new Date();
  const spend = () => countContactMail(fixture.db, { userId: contactUserId ?? "", now });
  while (await spend()); // until the count is used up
  expect(await pausedMails(id)).toEqual([]);
  const { id: former } = await fixture.endpoint({ url, contactEmail: "eve@member.example" });
  await fixture.db
    .updateTable("endpoint")
    .set({ contactUserId: null })
    .where("id", "=", former)
    .execute();
  expect(await pausedMails(former)).toEqual([]);
});

test("a contact gets ten mails a day, also of concurrent pauses", async () => {
  const [userId, now] = [newTextId(), new Date()];
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, () => countContactMail(fixture.db, { userId, now })),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(10);
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await countContactMail(fixture.db, { userId, now: tomorrow })).toBe(true);
});

test("a deletion removes the address of a user who took over the contact of a webhook", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  const call = callBy();
  const grace = {
    id: newTextId(),
    email: "grace@example.com",
    emailVerified: true,
    name: "Grace",
    role: "admin",
  };
  const acting = { ...call, session: { ...call.session, user: grace } } as typeof call;
  await changeEndpoint(fixture.deps, acting, { id, given: { contactEmail: grace.email } });
  await fixture.record([recordedOf(newTextId(), { type: "user.deleted" })]);
  expect((await fixture.endpointOf(id)).contactEmail).toBe(grace.email);
  await fixture.record([recordedOf(grace.id, { type: "user.deleted" })]);
  expect(await fixture.endpointOf(id)).toMatchObject({ contactEmail: "", contactName: "" });
});

test("only who may change webhooks sees the queries of their URLs, which may hold a secret of the receiver", async () => {
  const { id } = await fixture.endpoint({ url: whole });
  const sent = await sendTestEvent(fixture.deps, callBy(), id);
  const urlsFor = async (role: string) => {
    const listing = adminListWebhooks(deps, callBy({ query: {}, role }));
    const { webhooks } = await replyOf(listing);
    const reading = adminGetWebhook(deps, callBy({ params: { id }, role }));
    const one = await replyOf(reading);
    const opening = adminGetWebhookDelivery(deps, callBy({ params: { id: sent.id }, role }));
    const { request } = await replyOf(opening);
    return [webhooks.find((row) => row.id === id)?.url, one.url, request.url];
  };
  expect(await urlsFor("reader")).toEqual([bare, bare, bare]);
  expect(await urlsFor("admin")).toEqual([whole, whole, whole]);
});

test("only members who may change webhooks see the queries of their URLs", async () => {
  const organizationId = newTextId();
  const { id } = await fixture.endpoint({ url: whole, organizationId });
  const { id: deliveryId } = await sendTestEvent(fixture.deps, callBy(), id);
  const urlsFor = async (mayUpdate: boolean) => {
    const call = async (_: unknown, { body }: { body: { action: string } }) => ({
      verdict: body.action === "update" && !mayUpdate ? "forbidden" : "allowed",
    });
    const own = { ...fixture.deps, organization: { ...fixture.deps.organization, call } } as Deps;
    const { webhooks } = await replyOf(
      listOrganizationWebhooks(own, callBy({ query: { organizationId } })),
    );
    const { request } = await replyOf(
      getOrganizationWebhookDelivery(own, callBy({ query: { organizationId, deliveryId } })),
    );
    return [webhooks.map(({ url }) => url), request.url];
  };
  expect(await urlsFor(false)).toEqual([[bare], bare]);
  expect(await urlsFor(true)).toEqual([[whole], whole]);
});
