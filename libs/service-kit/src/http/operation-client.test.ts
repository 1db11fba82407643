import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { operation, stepUps } from "@latchkey/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createOperationClient } from "./operation-client.ts";
import { createServicePool, type ServicePool } from "./service-pool.ts";

const verifyKey = operation({
  name: "asked",
  owner: "apikey",
  exposure: "internal",
  rateClass: "none",
  method: "POST",
  path: "/asked",
  summary: "For services.",
  reply: z.object({}),
  errors: [],
  stepUp: stepUps.noSession,
  access: "anyone",
});

let answer: { status: number; headers?: Record<string, string>; body?: unknown };
let pool: ServicePool;
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
  response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
});
beforeEach(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  pool = createServicePool([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterEach(async () => {
  await pool.close();
  server.close();
});

const failure = (): Promise<unknown> =>
  createOperationClient({ pool, serviceToken: "token" })
    .call(verifyKey, {})
    .then(
      () => undefined,
      (error: unknown) => error,
    );

test("returns a catalogue error with status, message, details and retry delay", async () => {
  const details = { tryAgainIn: 1_500 };
  const body = { code: "RATE_LIMITED", message: "Rate limit exceeded.", details };
  answer = { status: 429, headers: { "retry-after": "2" }, body };
  expect(await failure()).toMatchObject({ status: 429, retryAfterSeconds: 2, ...body });
});

test("leaves out missing members of an error", async () => {
  answer = { status: 403, body: { code: "INVALID_API_KEY", message: "Invalid API key." } };
  const error = await failure();
  expect(error).toMatchObject({ code: "INVALID_API_KEY", status: 403 });
  expect(error).toMatchObject({ retryAfterSeconds: undefined, details: undefined });
});

test.each(["", "soon", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT"])(
  "ignores a Retry-After of %j",
  async (value) => {
    const body = { code: "SERVICE_UNAVAILABLE", message: "Service unavailable." };
    answer = { status: 503, headers: { "retry-after": value }, body };
    expect(await failure()).toMatchObject({ status: 503, retryAfterSeconds: undefined });
  },
);

test.each<[string, typeof answer]>([
  ["no body", { status: 500 }],
  ["an unknown code", { status: 400, body: { code: "UNHEARD_OF", message: "?" } }],
])("throws a plain error for a reply with %s", async (_case, given) => {
  answer = given;
  expect(await failure()).toEqual(new Error(`asked answered ${given.status}`));
});
