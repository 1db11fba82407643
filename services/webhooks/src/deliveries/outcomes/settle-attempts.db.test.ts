import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import {
  claimOptions,
  newTextId,
  openWebhooks,
  recordedOf,
} from "../../db/test-webhooks.fixture.ts";
import { type ClaimedDelivery, claimDeliveries } from "../leases/queries.ts";
import { type Outcome, settleAttempts } from "./queries.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

/** Leases the due lanes of an endpoint, for no time at all if `leaseSeconds` is 0. */
const claimOf = async (endpointId: string, leaseSeconds = 60): Promise<ClaimedDelivery[]> => {
  const claimed = await claimDeliveries(fixture.db, { ...claimOptions, leaseSeconds });
  return claimed.filter(
    (one): one is ClaimedDelivery => one.endpointId === endpointId && one.id !== null,
  );
};

const outcomeOf = (
  { id, endpointId, subject, claim, attempts }: ClaimedDelivery,
  given: Partial<Outcome> = {},
): Outcome => ({
  endpointId,
  subject,
  claim,
  deliveryId: id,
  number: attempts + 1,
  state: "delivered",
  startedAt: new Date().toISOString(),
  milliseconds: 1,
  status: 204,
  response: "",
  error: null,
  delaySeconds: 5,
  retrySeconds: 600,
  restSeconds: 0,
  ...given,
});
const failure = { state: "pending", status: 500, error: "the receiver answered 500" } as const;

const lanesOf = (endpointId: string) =>
  fixture.db
    .selectFrom("lane")
    .select(["subject", "pending"])
    .where("endpointId", "=", endpointId)
    .execute();
const statesOf = async (endpointId: string) =>
  (await fixture.deliveriesOf(endpointId)).map(({ attempts, state }) => [state, attempts]);

describe("an outcome", () => {
  test("of a process that lost its lease changes nothing, also after the lane was created again", async () => {
    const { id } = await fixture.endpoint({ url: "https://example.com" });
    const userId = newTextId();
    await fixture.record([recordedOf(userId)]);
    const [late] = (await claimOf(id, 0)) as [ClaimedDelivery];
    const [taker] = (await claimOf(id)) as [ClaimedDelivery];
    await settleAttempts(fixture.db, [outcomeOf(taker)]);
    await fixture.record([recordedOf(userId)]);
    await claimOf(id);
    await settleAttempts(fixture.db, [outcomeOf(late)]);
    await settleAttempts(fixture.db, [outcomeOf(late, failure)]);
    expect(await statesOf(id)).toEqual([
      ["delivered", 1],
      ["pending", 0],
    ]);
    expect(await lanesOf(id)).toEqual([{ subject: `user:${userId}`, pending: 1 }]);
  });

  test("of a deleted delivery does not stop the outcomes of others", async () => {
    const { id } = await fixture.endpoint({ url: "https://example.com" });
    await fixture.record([recordedOf(newTextId()), recordedOf(newTextId())]);
    const [gone, other] = (await claimOf(id)) as [ClaimedDelivery, ClaimedDelivery];
    await fixture.db.deleteFrom("delivery").where("id", "=", gone.id).execute();
    await settleAttempts(fixture.db, [outcomeOf(gone), outcomeOf(other)]);
    expect(await statesOf(id)).toEqual([["delivered", 1]]);
  });
});

describe("the rest that a receiver asked for", () => {
  const restOf = async (id: string) => {
    const { restUntil } = await fixture.endpointOf(id);
    return ((restUntil?.getTime() ?? 0) - Date.now()) / 1_000;
  };

  test.each([
    ["fails", failure],
    ["succeeds", {}],
  ])("continues if another request %s", async (_what, given) => {
    const { id } = await fixture.endpoint({ url: "https://example.com" });
    await fixture.record([recordedOf(newTextId()), recordedOf(newTextId())]);
    const [first, second] = (await claimOf(id)) as [ClaimedDelivery, ClaimedDelivery];
    await settleAttempts(fixture.db, [outcomeOf(first, { ...failure, restSeconds: 7_200 })]);
    await settleAttempts(fixture.db, [outcomeOf(second, given)]);
    expect(await restOf(id)).toBeGreaterThan(7_000);
  });
});
