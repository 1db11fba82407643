import { WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callBy, newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";
import { retryDelivery } from "../deliveries/manage-deliveries.ts";
import { createEndpoint, rotateSecret } from "./change-endpoint.ts";
import { disableGone } from "./system-changes.ts";
import { openSecret } from "./secrets.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();
const url = "https://example.com";
const webhooksMax = 3;
const replicas = [1, 2].map(() =>
  fixture.depsWith(
    { organizations: { enabled: true, webhooksMax } },
    { membersHaveWebhooks: true },
  ),
);

/** Runs 16 calls at once, in turn on two replicas. Returns the outcomes. */
const race = <T>(act: (deps: (typeof replicas)[number]) => Promise<T>) =>
  Promise.allSettled(
    Array.from({ length: 16 }, (_, index) => act(replicas[index % 2] ?? fixture.depsWith())),
  );
const served = <T>(outcomes: readonly PromiseSettledResult<T>[]): T[] =>
  outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.flatMap((one) =>
    one.status === "fulfilled"
      ? []
      : [one.reason instanceof WireError ? one.reason.code : one.reason],
  );
const actionsOf = async (id: string) => (await fixture.auditOf(id)).map(({ action }) => action);

test("of 16 callers who retry a failed delivery, one queues it", async () => {
  const { id } = await fixture.endpoint({ url });
  await fixture.record([recordedOf(newTextId())]);
  await fixture.db
    .updateTable("delivery")
    .set({ state: "failed" })
    .where("endpointId", "=", id)
    .execute();
  await fixture.db.deleteFrom("lane").where("endpointId", "=", id).execute();
  const [delivery] = await fixture.deliveriesOf(id);
  if (!delivery) throw new Error("no delivery");
  const outcomes = await race((deps) => retryDelivery(deps, callBy(), delivery.id));
  expect(served(outcomes)).toHaveLength(1);
  expect(new Set(refusals(outcomes))).toEqual(new Set(["WEBHOOK_DELIVERY_HAS_NOT_FAILED"]));
  const lanes = fixture.db.selectFrom("lane").select("pending").where("endpointId", "=", id);
  expect(await lanes.execute()).toEqual([{ pending: 1 }]);
  expect(await actionsOf(delivery.id)).toEqual(["webhook-delivery.retried"]);
});

test("of 16 callers, as many create webhooks of an organization as its limit allows", async () => {
  const organizationId = newTextId();
  const outcomes = await race((deps) =>
    createEndpoint(deps, callBy(), { url, events: [], organizationId, byMembers: true }),
  );
  expect(served(outcomes)).toHaveLength(webhooksMax);
  expect(new Set(refusals(outcomes))).toEqual(new Set(["WEBHOOK_LIMIT_REACHED"]));
});

test("of 16 callers, one creates the last webhook of the installation", async () => {
  const existing = await fixture.db
    .selectFrom("endpoint")
    .select("id")
    .where("organizationId", "is", null)
    .execute();
  await fixture.endpoints(199 - existing.length, { url, events: ["user.banned"] });
  const outcomes = await race((deps) =>
    createEndpoint(deps, callBy(), { url, events: [], organizationId: null }),
  );
  expect(served(outcomes)).toHaveLength(1);
  expect(new Set(refusals(outcomes))).toEqual(new Set(["WEBHOOK_LIMIT_REACHED"]));
});

test("of 16 rotations at once, the last two secrets sign, and each is recorded", async () => {
  const { id } = await fixture.endpoint({ url, organizationId: newTextId() });
  const outcomes = await race((deps) => rotateSecret(deps, callBy(), { id, overlapSeconds: 60 }));
  const secrets = served(outcomes).map(({ secret }) => secret);
  expect(new Set(secrets).size).toBe(16);
  const { secretSealed, formerSecretSealed } = await fixture.endpointOf(id);
  const signingSecrets = [secretSealed, formerSecretSealed ?? ""].map((sealed) =>
    openSecret(fixture.deps.ring, id, sealed),
  );
  expect(new Set(signingSecrets).size).toBe(2);
  expect(secrets).toEqual(expect.arrayContaining(signingSecrets));
  expect(
    (await actionsOf(id)).filter((action) => action === "webhook.secret-rotated"),
  ).toHaveLength(16);
});

test("of 16 attempts that are answered 410, one disables the webhook", async () => {
  const { id } = await fixture.endpoint({ url, organizationId: newTextId() });
  await race((deps) => disableGone(deps, id));
  expect((await fixture.endpointOf(id)).state).toBe("disabled");
  expect((await actionsOf(id)).filter((action) => action === "webhook.disabled")).toHaveLength(1);
});
