import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Event } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, test } from "vitest";
import { consumers } from "../consumers.ts";
import { attemptAll, openMailer } from "../db/test-mailer.fixture.ts";
import type { Deps } from "../deps.ts";
import { plainBranding } from "../templates/plain-wording.fixture.ts";
import { countFailedDeliveries } from "./queries.ts";
import { createTextSender } from "./text-sender.ts";

expectNoLeaks("file");

const { clock, db, deps: plainDeps } = await openMailer();
const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const phoneNumber = "+4915112345678";
const code = "482913";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}
const received: Received[] = [];
let status = 204;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    response.writeHead(status).end(`about ${code} for ${phoneNumber}`);
  });
});
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;

const config = {
  ...plainDeps.config,
  appName: "Example",
  branding: { ...plainDeps.config.branding, ...plainBranding },
  host: "auth.example.com",
  privateHosts: ["127.0.0.1"],
  phoneNumber: {
    ...plainDeps.config.phoneNumber,
    sendURL: `http://127.0.0.1:${port}/texts`,
    sendSecret: secret,
  },
};
const texts = createTextSender(config, { clock: Date.now });
const log: object[] = [];
const capture = (fields: object, message: string) => void log.push({ ...fields, message });
const deps = {
  ...plainDeps,
  config,
  texts,
  captureLog: (message: string) => void log.push({ message }),
  logger: { error: capture, warn: capture },
} as unknown as Deps; // the consumers and attempts use no other dependencies

afterAll(async () => {
  await texts?.close();
  server.closeAllConnections();
  await once(server.close(), "close");
});
beforeEach(() => {
  received.length = 0;
  log.length = 0;
  status = 204;
});

let serial = 0;
const request = async (over: Partial<Event<"phone-code.requested">["data"]> = {}, of = deps) => {
  const event: Event<"phone-code.requested"> = {
    id: `event-${(serial += 1)}`,
    name: "phone-code.requested",
    version: 1,
    occurredAt: new Date(clock.now()).toISOString(),
    data: {
      phoneNumber,
      code,
      purpose: "phone-number",
      expiresAt: new Date(clock.now() + 300_000).toISOString(),
      ...over,
    },
  };
  await Promise.all(Array.from({ length: 16 }, () => consumers["phone-code.requested"](of, event)));
  return event;
};
const rowOf = ({ id }: { id: string }) =>
  db.selectFrom("delivery").selectAll().where("eventId", "=", id).executeTakeFirstOrThrow();

test("posts one signed message for an event that 16 consumers get, in its language", async () => {
  const event = await request({ locale: "de" });
  await attemptAll(deps);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  expect(received).toHaveLength(1);
  const message = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(message).toEqual({
    to: phoneNumber,
    text: `Ihr Code für Example lautet ${code}. Geben Sie ihn niemandem weiter.\n\n@auth.example.com #${code}`,
    code,
    purpose: "phone-number",
    locale: "de",
    expiresAt: event.data.expiresAt,
  });
  expect(await rowOf(event)).toMatchObject({
    channel: "text",
    recipient: phoneNumber,
    state: "sent",
    contentSealed: "",
  });
});

/** Attack: a recorded request sends another message. */
test("signs the body, so that a changed one is refused", async () => {
  await request();
  await attemptAll(deps);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const changed = body.replace(phoneNumber, "+4915187654321");
  const verify = () => new Webhook(secret).verify(changed, headers as Record<string, string>);
  expect(verify).toThrow("No matching signature found");
});

test("tries again under the same id, and gives up with neither code nor number in logs and reasons", async () => {
  status = 500;
  const event = await request();
  await attemptAll(deps);
  await attemptAll(deps);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await rowOf(event)).toMatchObject({ state: "retrying", attempts: 2 });
  status = 422;
  await attemptAll(deps);
  expect(await rowOf(event)).toMatchObject({
    state: "failed",
    attempts: 3,
    lastError: "the receiver answered 422",
    contentSealed: "",
  });
  expect(await countFailedDeliveries(db, 60, "text")).toBe(1);
  expect(await countFailedDeliveries(db, 60)).toBe(0);
  const logged = JSON.stringify(log);
  expect(logged).toContain("text message failed");
  expect(logged).not.toMatch(new RegExp(`${code}|${phoneNumber.slice(1)}`));
});

test("does not send a code that has expired", async () => {
  const event = await request({ expiresAt: new Date(clock.now() + 1_000).toISOString() });
  await sql`update mailer.delivery set send_before = now() where event_id = ${event.id}`.execute(
    db,
  );
  await attemptAll(deps);
  expect(received).toEqual([]);
  expect(await rowOf(event)).toMatchObject({
    state: "failed",
    lastError: "the code expired before the text message could be sent",
  });
});

test("captures messages without a receiver, and logs a masked number and no code", async () => {
  const without = { ...deps, texts: undefined } as Deps;
  const event = await request({}, without);
  await attemptAll(without);
  expect(await rowOf(event)).toMatchObject({ state: "captured" });
  expect(log).toEqual([{ message: "captured text message to +49*******5678" }]);
});
