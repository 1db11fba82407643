import { until } from "@latchkey/testkit";
import { expectNoLeaks } from "@latchkey/testkit";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  callBy,
  claimOptions,
  newTextId,
  openWebhooks,
  type Received,
  recordedOf,
} from "../db/test-webhooks.fixture.ts";
import { rotateSecret } from "../endpoints/change-endpoint.ts";
import { claimDeliveries } from "./leases/queries.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const idOf = ({ headers }: Received): string => String(headers["webhook-id"]);

describe("a delivery", () => {
  test("is verified by the published library of the specification", async () => {
    const receiver = await fixture.receiver();
    const { id, secret } = await fixture.endpoint({ url: `${receiver.url}/hooks?a=b` });
    fixture.dispatch();
    const event = recordedOf(newTextId());
    await fixture.record([event]);
    await until(() => receiver.received.length === 1);
    const [got] = receiver.received as [Received];
    expect(new Webhook(secret).verify(got.body, headersOf(got))).toEqual({
      id: event.id,
      type: event.type,
      version: 1,
      timestamp: event.occurredAt,
      data: event.data,
    });
    expect([got.path, idOf(got)]).toEqual(["/hooks?a=b", event.id]);
    await until(async () => (await fixture.deliveriesOf(id))[0]?.state === "delivered");
  });

  test("is verified with both secrets during the overlap of a rotation", async () => {
    const receiver = await fixture.receiver();
    const { id, secret } = await fixture.endpoint({ url: receiver.url });
    const rotated = await rotateSecret(fixture.deps, callBy(), { id, overlapSeconds: 60 });
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(() => receiver.received.length === 1);
    const [got] = receiver.received as [Received];
    for (const each of [secret, rotated.secret])
      expect(new Webhook(each).verify(got.body, headersOf(got))).toBeDefined();
    const late = await rotateSecret(fixture.deps, callBy(), { id, overlapSeconds: 0 });
    await fixture.record([recordedOf(newTextId())]);
    await until(() => receiver.received.length === 2);
    const [, second] = receiver.received as [Received, Received];
    expect(() => new Webhook(rotated.secret).verify(second.body, headersOf(second))).toThrow();
    expect(new Webhook(late.secret).verify(second.body, headersOf(second))).toBeDefined();
  });

  test("is retried with the same id and bytes until the receiver accepts it", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    receiver.answer.respond = (response) => response.writeHead(500).end("broken");
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
    receiver.answer.respond = (response) => response.writeHead(200).end();
    await fixture.db
      .updateTable("lane")
      .set({ dueAt: new Date(0) })
      .where("endpointId", "=", id)
      .execute();
    await until(async () => (await fixture.deliveriesOf(id))[0]?.state === "delivered");
    const [first, second] = receiver.received as [Received, Received];
    expect([idOf(first), first.body]).toEqual([idOf(second), second.body]);
    const [row] = await fixture.deliveriesOf(id);
    const attempts = await fixture.db
      .selectFrom("attempt")
      .selectAll()
      .where("deliveryId", "=", row?.id ?? "")
      .orderBy("number")
      .execute();
    expect(attempts.map(({ status, response }) => [status, response])).toEqual([
      [500, "broken"],
      [200, ""],
    ]);
  });

  test("keeps the first kilobyte of a response", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    receiver.answer.respond = (response) => response.writeHead(200).end("x".repeat(1_000_000));
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await fixture.deliveriesOf(id))[0]?.state === "delivered");
    const { response } = await fixture.db
      .selectFrom("attempt")
      .innerJoin("delivery", "delivery.id", "attempt.deliveryId")
      .select("response")
      .where("endpointId", "=", id)
      .executeTakeFirstOrThrow();
    expect(response).toBe("x".repeat(1_024));
  });

  test("does not follow a redirect", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    receiver.answer.respond = (response) => response.writeHead(302, { location: "/other" }).end();
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
    const [row] = await fixture.deliveriesOf(id);
    expect([row?.state, row?.lastStatus, receiver.received.length]).toEqual(["pending", 302, 1]);
  });

  test("is not sent to a private address", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    await fixture.db
      .updateTable("endpoint")
      .set({ url: "http://169.254.169.254/" })
      .where("id", "=", id)
      .execute();
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
    const [row] = await fixture.deliveriesOf(id);
    expect([row?.lastStatus, row?.lastError]).toEqual([
      null,
      "http://169.254.169.254: not allowed (not by https)",
    ]);
  });

  test("disables the endpoint if the receiver answers 410", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    receiver.answer.respond = (response) => response.writeHead(410).end();
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await fixture.endpointOf(id)).state === "disabled");
    await fixture.record([recordedOf(newTextId())]);
    expect((await fixture.deliveriesOf(id)).map(({ state }) => state)).toEqual(["failed"]);
    expect((await fixture.auditOf(id)).at(-1)).toMatchObject({
      action: "webhook.disabled",
      actorKind: "system",
      after: { state: "disabled", reason: "gone" },
    });
  });

  test("waits as long as the receiver asks for", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    receiver.answer.respond = (response) =>
      response.writeHead(429, { "retry-after": "7200" }).end();
    fixture.dispatch();
    await fixture.record([recordedOf(newTextId()), recordedOf(newTextId())]);
    await until(async () => (await fixture.endpointOf(id)).restUntil !== null);
    const { restUntil } = await fixture.endpointOf(id);
    expect((restUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(7_000_000);
  });
});

describe("events of one subject", () => {
  test("are sent in order, each after the one before has arrived", async () => {
    const receiver = await fixture.receiver();
    await fixture.endpoint({ url: receiver.url });
    let running = 0;
    let most = 0;
    receiver.answer.respond = (response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() => {
        running -= 1;
        response.writeHead(204).end();
      });
    };
    fixture.dispatch();
    fixture.dispatch();
    const userId = newTextId();
    const events = Array.from({ length: 20 }, () => recordedOf(userId));
    await fixture.record(events);
    await until(() => receiver.received.length === 20);
    expect(receiver.received.map(idOf)).toEqual(events.map(({ id }) => id));
    expect(most).toBe(1);
  });

  test("wait for a failing one, and those of others do not", async () => {
    const receiver = await fixture.receiver();
    const { id } = await fixture.endpoint({ url: receiver.url });
    const [ada, grace] = [newTextId(), newTextId()];
    receiver.answer.respond = (response, { body }) =>
      response.writeHead(body.includes(ada) ? 500 : 204).end();
    fixture.dispatch();
    await fixture.record([recordedOf(ada), recordedOf(ada), recordedOf(grace)]);
    await until(
      async () =>
        (await fixture.deliveriesOf(id)).filter(({ state }) => state === "delivered").length ===
          1 && receiver.received.length === 2,
    );
    await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
    expect(
      (await fixture.deliveriesOf(id)).map(({ attempts, state }) => [attempts, state]),
    ).toEqual([
      [1, "pending"],
      [0, "pending"],
      [1, "delivered"],
    ]);
  });
});

test("of 16 processes, one leases a lane", async () => {
  const { id } = await fixture.endpoint({ url: "https://example.com" });
  await fixture.record([recordedOf(newTextId())]);
  const claimed = await Promise.all(
    Array.from({ length: 16 }, () => claimDeliveries(fixture.db, claimOptions)),
  );
  expect(claimed.flat().filter(({ endpointId }) => endpointId === id)).toHaveLength(1);
});

test("the delivery of a killed process is sent after its lease", async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.endpoint({ url: receiver.url });
  await fixture.record([recordedOf(newTextId())]);
  await claimDeliveries(fixture.db, { ...claimOptions, leaseSeconds: 0 });
  fixture.dispatch();
  await until(async () => (await fixture.deliveriesOf(id))[0]?.state === "delivered");
});

test("a message that is consumed twice is delivered once", async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.endpoint({ url: receiver.url });
  const message = await fixture.record([recordedOf(newTextId())]);
  const { consumeRecorded } = await import("./consume-recorded.ts");
  await Promise.all(Array.from({ length: 16 }, () => consumeRecorded(fixture.deps, message)));
  expect(await fixture.deliveriesOf(id)).toHaveLength(1);
});

test("a webhook that fails for long is paused and its contact is told once", async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.endpoint({ url: receiver.url, contactEmail: "ops@example.com" });
  receiver.answer.respond = (response) => response.writeHead(500).end();
  fixture.dispatch();
  await fixture.record([recordedOf(newTextId())]);
  await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
  const old = new Date(Date.now() - 2 * 86_400_000);
  await fixture.db
    .updateTable("endpoint")
    .set({ failingSince: old })
    .where("id", "=", id)
    .execute();
  await fixture.db
    .updateTable("delivery")
    .set({ retryUntil: new Date(old.getTime() + 3 * 86_400_000) })
    .where("endpointId", "=", id)
    .execute();
  await fixture.db.updateTable("lane").set({ dueAt: old }).where("endpointId", "=", id).execute();
  await until(async () => (await fixture.endpointOf(id)).state === "paused");
  const mails = await fixture.db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "webhook.paused")
    .execute();
  const ours = mails.filter(({ data }) => data.includes(receiver.url));
  expect(ours).toHaveLength(1);
  expect(JSON.parse(ours[0]?.data ?? "")).toMatchObject({ email: "ops@example.com" });
});
