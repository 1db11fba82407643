import type { ServerResponse } from "node:http";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { callBy, newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";
import { changeEndpoint, createEndpoint } from "../endpoints/change-endpoint.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

test("webhooks that never answer do not delay another at the same host", async () => {
  const receiver = await fixture.receiver();
  const hanging: ServerResponse[] = [];
  receiver.answer.respond = (response, { path }) => {
    if (path === "/slow") hanging.push(response);
    else response.writeHead(204).end();
  };
  const slow = Array.from({ length: 4 }, () => fixture.endpoint({ url: `${receiver.url}/slow` }));
  await Promise.all(slow);
  fixture.dispatch();
  await fixture.record(Array.from({ length: 10 }, () => recordedOf(newTextId())));
  await until(() => hanging.length >= 32);
  await fixture.endpoint({ url: `${receiver.url}/fast` });
  await fixture.record([recordedOf(newTextId())]);
  await until(() => receiver.received.some(({ path }) => path === "/fast"));
  receiver.answer.respond = (response) => response.writeHead(204).end();
  for (const response of hanging) response.writeHead(204).end();
});

test("a webhook of an organization reaches no private host of the installation", async () => {
  const receiver = await fixture.receiver();
  const deps = fixture.depsWith({}, { organizationHosts: [] });
  const organizationId = newTextId();
  const input = { events: [], organizationId };
  const refusal = { code: "WEBHOOK_URL_NOT_ALLOWED" };
  await expect(
    createEndpoint(deps, callBy(), { ...input, url: receiver.url }),
  ).rejects.toMatchObject(refusal);
  const { id } = await createEndpoint(deps, callBy(), { ...input, url: "https://example.com" });
  await expect(
    changeEndpoint(deps, callBy(), { id, given: { url: receiver.url } }),
  ).rejects.toMatchObject(refusal);
  await fixture.db
    .updateTable("endpoint")
    .set({ url: receiver.url })
    .where("id", "=", id)
    .execute();
  fixture.dispatch(deps);
  await fixture.record([recordedOf(organizationId, { type: "organization.updated" })]);
  await until(async () => (await fixture.deliveriesOf(id))[0]?.attempts === 1);
  expect((await fixture.deliveriesOf(id))[0]?.lastError).toContain("has no public address");
});
