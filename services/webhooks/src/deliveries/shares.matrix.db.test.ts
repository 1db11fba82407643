import { expectNoLeaks, until } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";
import { requestsMax } from "./create-receivers.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();
const hangingCount = 300;

/** Attack: the owners of many webhooks never answer, so that a process has no request left for others. */
test("300 hanging receivers delay no webhook whose last delivery succeeded", async () => {
  const receiver = await fixture.receiver();
  let hanging = 0;
  receiver.answer.respond = (response, { path }) => {
    if (path === "/hangs") hanging += 1;
    else response.writeHead(204).end();
  };
  const { id } = await fixture.endpoint({ url: `${receiver.url}/well`, events: ["user.updated"] });
  await fixture.endpoints(hangingCount, { url: `${receiver.url}/hangs`, events: ["user.created"] });
  fixture.dispatch(fixture.depsWith({ timeout: 60 }));
  const delivered = async () =>
    (await fixture.deliveriesOf(id)).filter(({ state }) => state === "delivered").length;
  await fixture.record([recordedOf(newTextId())]);
  await until(async () => (await delivered()) === 1);
  // More deliveries wait than a process has requests.
  const created = [newTextId(), newTextId()].map((userId) =>
    recordedOf(userId, { type: "user.created" }),
  );
  await fixture.record(created);
  await until(() => hanging === requestsMax / 2);
  for (let count = 2; count <= 6; count += 1) {
    await fixture.record([recordedOf(newTextId())]);
    await until(async () => (await delivered()) === count);
  }
  expect(hanging).toBe(requestsMax / 2);
});
