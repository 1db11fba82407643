import { expectNoLeaks, until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { callBy, newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";
import { claimDeliveries } from "../deliveries/leases/queries.ts";
import { alignMemberWebhooks } from "./system-changes.ts";
import { changeEndpoint, setEndpointState } from "./change-endpoint.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();
const allowed = fixture.depsWith({}, { membersHaveWebhooks: true });
const withheld = fixture.depsWith({}, { membersHaveWebhooks: false });

const ofOrganization = (organizationId: string) =>
  recordedOf(organizationId, { type: "organization.updated" });
const stateOf = async (id: string) => {
  const { state, stateReason } = await fixture.endpointOf(id);
  return [state, stateReason];
};

describe("while members may have no webhooks", () => {
  test("nothing is sent to them, their events wait, and are sent once members may have them again", async () => {
    const receiver = await fixture.receiver();
    const organizationId = newTextId();
    const { id } = await fixture.endpoint({ url: receiver.url, organizationId, byMembers: true });
    const other = await fixture.endpoint({ url: `${receiver.url}/admin`, organizationId });
    fixture.dispatch(fixture.depsWith({}, { membersHaveWebhooks: false }));
    await fixture.record([ofOrganization(organizationId)]);
    await until(async () => (await fixture.deliveriesOf(other.id))[0]?.state === "delivered");
    expect(await stateOf(id)).toEqual(["paused", "not-allowed"]);
    expect((await fixture.deliveriesOf(id)).map(({ state }) => state)).toEqual(["pending"]);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/admin"]);
    fixture.dispatch(fixture.depsWith({}, { membersHaveWebhooks: true }));
    await until(async () => (await fixture.deliveriesOf(id))[0]?.state === "delivered");
    expect(await stateOf(id)).toEqual(["active", null]);
    const actions = (await fixture.auditOf(id)).map(({ action, actorKind }) => [action, actorKind]);
    expect(actions.slice(1)).toEqual([
      ["webhook.paused", "system"],
      ["webhook.resumed", "system"],
    ]);
  });

  test("none of their lanes is leased, even if a webhook is active", async () => {
    const organizationId = newTextId();
    const { id } = await fixture.endpoint({
      url: "https://a.example",
      organizationId,
      byMembers: true,
    });
    await fixture.record([ofOrganization(organizationId)]);
    const lease = {
      running: new Map<string, number>(),
      concurrency: 10,
      failingConcurrency: 2,
      membersHaveWebhooks: false,
      failingMax: 100,
      unprovenMax: 200,
      limit: 1_000,
      leaseSeconds: 60,
    };
    const claimed = await claimDeliveries(fixture.db, lease);
    expect(claimed.filter(({ endpointId }) => endpointId === id)).toEqual([]);
  });

  test("an admin who resumes one leaves it paused until members may have it", async () => {
    const organizationId = newTextId();
    const { id } = await fixture.endpoint({
      url: "https://a.example",
      organizationId,
      byMembers: true,
    });
    await setEndpointState(withheld, callBy(), { id, state: "paused" });
    await alignMemberWebhooks(withheld);
    expect(await stateOf(id)).toEqual(["paused", "user"]);
    await setEndpointState(withheld, callBy(), { id, state: "active" });
    expect(await stateOf(id)).toEqual(["paused", "not-allowed"]);
    await alignMemberWebhooks(allowed);
    expect(await stateOf(id)).toEqual(["active", null]);
  });

  test("a webhook that a member has changed counts as of members", async () => {
    const organizationId = newTextId();
    const { id } = await fixture.endpoint({ url: "https://a.example", organizationId });
    const input = { url: "https://b.example" };
    await changeEndpoint(allowed, callBy(), { id, organizationId, given: input });
    await alignMemberWebhooks(withheld);
    expect(await stateOf(id)).toEqual(["paused", "not-allowed"]);
  });
});

test("of 16 processes that start, one records the pause", async () => {
  const organizationId = newTextId();
  const { id } = await fixture.endpoint({
    url: "https://a.example",
    organizationId,
    byMembers: true,
  });
  await Promise.all(Array.from({ length: 16 }, () => alignMemberWebhooks(withheld)));
  expect(
    (await fixture.auditOf(id)).filter(({ action }) => action === "webhook.paused"),
  ).toHaveLength(1);
});
