import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Event } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { createServiceClient, type ServiceClient } from "@latchkey/service-kit/http";
import { createLogger, createMetrics } from "@latchkey/service-kit/observe";
import { freePort } from "@latchkey/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createUrgentApplier } from "./apply-urgent-events.ts";

const ring = createSecretRing(["a secret for this test"]);
const about = { version: 1, occurredAt: "2030-01-02T03:04:05.678Z" };
const deleted: Event<"user.deleted"> = {
  ...about,
  id: "1",
  name: "user.deleted",
  data: { userId: "a", email: "a@example.com" },
};
const claimed: Event<"user.claimed"> = {
  ...about,
  id: "2",
  name: "user.claimed",
  data: { userId: "a" },
};
const updated: Event<"user.updated"> = {
  ...about,
  id: "3",
  name: "user.updated",
  data: { userId: "a" },
};

let server: Server;
let clients: ServiceClient[];
let requests: [url: string | undefined, body: unknown][];
let status: number;

const clientAt = (url: string): ServiceClient => {
  const client = createServiceClient({ to: [url], from: "gateway", ring, clock: Date.now });
  clients.push(client);
  return client;
};

beforeEach(async () => {
  clients = [];
  requests = [];
  status = 200;
  server = createServer((request, response) => {
    json(request).then(
      (body) => {
        requests.push([request.url, body]);
        response.writeHead(status, { "content-type": "application/json" });
        response.end('{"applied":true}');
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.close();
});

const prepare = (organizationUrl?: string) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metrics = createMetrics("gateway");
  const apply = createUrgentApplier({
    logger: createLogger({ service: "gateway", level: "silent" }),
    metrics,
    apikey: clientAt(url),
    organization: clientAt(organizationUrl ?? url),
  });
  const failed = async () => {
    const counted = metrics.registry.getSingleMetric("latchkey_urgent_events_failed_total");
    return (await counted?.get())?.values.map(({ labels, value }) => [labels["service"], value]);
  };
  return { apply, failed };
};

test("every event is sent to the services that consume it, and to no other", async () => {
  const { apply, failed } = prepare();
  await apply([deleted, claimed, updated], "request");
  expect(requests.toSorted()).toEqual([
    ["/internal/api-key/apply-event", deleted],
    ["/internal/api-key/apply-event", claimed],
    ["/internal/organization/apply-event", deleted],
  ]);
  expect(await failed()).toEqual([]);
});

test("a service that is down or fails is counted and affects no other", async () => {
  const { apply, failed } = prepare(`http://127.0.0.1:${await freePort()}`);
  await apply([deleted], "request");
  expect(requests).toHaveLength(1);
  expect(await failed()).toEqual([["organization", 1]]);
  status = 500;
  await apply([deleted], "request");
  expect(await failed()).toEqual([
    ["organization", 2],
    ["apikey", 1],
  ]);
});
