import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import {
  applicationEvents,
  type ApplicationEventType,
  applicationEventTypes,
  operations,
} from "@latchkey/contracts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { signUp } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

expectNoLeaks("file");

const { webhooks } = operations;

interface Sent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}
interface Endpoint {
  id: string;
  secret: string;
}

describe.each(matrix("postgres", "redis"))("with the bus on %s", (stores) => {
  let server: Server;
  let url: string;
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];

  const { system, admin } = useSystem(async () => {
    server = createServer((request, response) => {
      text(request).then(
        (body) => {
          received.push({ headers: request.headers, body });
          response.writeHead(204).end();
        },
        () => {},
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    return { stores, config: serviceConfig };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });

  const sentAbout = (userId: string): Sent[] =>
    received
      .map(({ body }) => JSON.parse(body) as Sent)
      .filter(({ data }) => data["userId"] === userId);

  test("a webhook receives the signed events of a user in order", async () => {
    const { secret } = await expectOk(
      callOperation<Endpoint>(admin, webhooks.adminCreateWebhook, { body: { url } }),
    );
    const ada = await signUp(system);
    await until(() => sentAbout(ada.user.id).some(({ type }) => type === "session.created"));
    expect(sentAbout(ada.user.id)).toMatchObject([
      { type: "user.created", data: { user: { email: ada.email, id: ada.user.id } } },
      { type: "session.created", data: { isImpersonation: false } },
    ]);
    for (const { headers, body } of received)
      expect(() =>
        new Webhook(secret).verify(body, headers as Record<string, string>),
      ).not.toThrow();
  });

  test("the list of events continues exactly at a cursor", async () => {
    const list = (after?: string) =>
      expectOk(
        callOperation<{ events: Sent[]; cursor: string; hasMore: boolean }>(
          admin,
          webhooks.adminListEvents,
          { query: { limit: "2", ...(after !== undefined && { after }) } },
        ),
      );
    const ada = await signUp(system);
    const ids: string[] = [];
    let cursor: string | undefined;
    await until(async () => {
      const page = await list(cursor);
      cursor = page.cursor;
      ids.push(
        ...page.events.filter(({ data }) => data["userId"] === ada.user.id).map(({ id }) => id),
      );
      return ids.length >= 2;
    });
    await until(() => sentAbout(ada.user.id).length >= 2);
    expect(ids.slice(0, 2)).toEqual(sentAbout(ada.user.id).map(({ id }) => id));
  });

  test("a webhook is changed, paused, resumed, tested and deleted", async () => {
    const { id } = await expectOk(
      callOperation<Endpoint>(admin, webhooks.adminCreateWebhook, {
        body: { url, events: ["organization.created"] },
      }),
    );
    const call = <Body = Record<string, unknown>>(
      operation: Parameters<typeof callOperation>[1],
      body?: object,
    ) => expectOk(callOperation<Body>(admin, operation, { params: { id }, ...(body && { body }) }));
    expect(await call(webhooks.adminUpdateWebhook, { description: "ours" })).toMatchObject({
      description: "ours",
    });
    expect(await call(webhooks.adminPauseWebhook)).toMatchObject({ state: "paused" });
    const test = await call<{ id: string }>(webhooks.adminTestWebhook);
    expect(await call(webhooks.adminResumeWebhook)).toMatchObject({ state: "active" });
    await until(() => received.some(({ body }) => body.includes('"webhook.test"')));
    const details = () =>
      expectOk(
        callOperation<{ delivery: { state: string }; attempts: { status: number }[] }>(
          admin,
          webhooks.adminGetWebhookDelivery,
          { params: { id: test.id } },
        ),
      );
    await until(async () => (await details()).delivery.state === "delivered");
    expect((await details()).attempts).toMatchObject([{ number: 1, status: 204, error: null }]);
    const { hours } = await expectOk(
      callOperation<{ hours: { delivered: number }[] }>(
        admin,
        webhooks.adminReadWebhookStatistics,
        { params: { id } },
      ),
    );
    expect(hours.at(-1)).toMatchObject({ delivered: 1 });
    const listed = await expectOk(
      callOperation<{ webhooks: object[] }>(admin, webhooks.adminListWebhooks, {
        query: { searchValue: "OUR" },
      }),
    );
    expect(listed.webhooks).toMatchObject([
      { id, deliveredLastDay: 1, failedAttemptsLastDay: 0, lastSuccessAt: expect.any(String) },
    ]);
    expect(await call(webhooks.adminDeleteWebhook)).toEqual({ success: true });
    const gone = await callOperation(admin, webhooks.adminGetWebhook, { params: { id } });
    expect(gone.status).toBe(404);
  });

  test("a period is replayed with the same ids", async () => {
    const ada = await signUp(system);
    await until(() => sentAbout(ada.user.id).length === 2);
    const { webhooks: listed } = await expectOk(
      callOperation<{ webhooks: Endpoint[] }>(admin, webhooks.adminListWebhooks),
    );
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const reply = await expectOk(
      callOperation<{ count: number; hasMore: boolean }>(admin, webhooks.adminReplayWebhookEvents, {
        params: { id: listed[0]?.id ?? "" },
        body: { from, to },
      }),
    );
    expect(reply.hasMore).toBe(false);
    await until(() => sentAbout(ada.user.id).length === 4);
    const ids = sentAbout(ada.user.id).map(({ id }) => id);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  });

  test("the schemas of all events are served, and match what is sent", async () => {
    const response = await fetch(`${system.origin}/api/events.json`);
    const { events } = (await response.json()) as { events: Record<string, object> };
    expect(Object.keys(events)).toEqual(applicationEventTypes);
    for (const { body } of received) {
      const { type, data } = JSON.parse(body) as Sent;
      if (type in applicationEvents)
        expect(applicationEvents[type as ApplicationEventType].data.safeParse(data).error).toBe(
          undefined,
        );
    }
  });

  test.each([
    ["http://169.254.169.254/latest"],
    ["http://example.com/hooks"],
    ["https://user:secret@example.com/"],
    ["file:///etc/passwd"],
    ["hooks"],
  ])("%s is refused as a URL", async (refused) => {
    const response = await callOperation(admin, webhooks.adminCreateWebhook, {
      body: { url: refused },
    });
    expect([response.status, response.body]).toEqual([
      400,
      expect.objectContaining({ code: "THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED" }),
    ]);
  });
});
