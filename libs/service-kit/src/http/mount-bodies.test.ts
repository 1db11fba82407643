import {
  callerHeader,
  type Operation,
  operation,
  optionsSchema,
  stepUps,
} from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "../observe/logger.ts";
import { createMetrics } from "../observe/metrics.ts";
import { signCaller } from "./caller-signature.ts";
import { createServer } from "./create-server.ts";
import { mountOperations } from "./mount-operations.ts";

const { admin, anonymous, organization } = optionsSchema.parse({});

const common = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  errors: [],
  stepUp: stepUps.noSession,
  access: "anyone",
} as const;
const owned = {
  perhaps: operation({
    ...common,
    name: "perhaps",
    method: "POST",
    path: "/perhaps",
    summary: "Takes a body or none.",
    body: z.object({ text: z.string().optional() }),
    reply: z.object({ body: z.string() }),
    bodyOptional: true,
  }),
  plain: operation({
    ...common,
    name: "plain",
    method: "POST",
    path: "/plain",
    summary: "Takes JSON only.",
    body: z.object({ text: z.string() }),
    reply: z.union([
      z.strictObject({ url: z.string(), redirect: z.boolean() }),
      z.strictObject({ redirect: z.literal(false), url: z.literal(""), status: z.literal(true) }),
    ]),
    jsonOnly: true,
  }),
};

const ring = createSecretRing(["a secret of this test"]);
const app = createServer(createLogger({ service: "test", level: "silent" }));
let url: string;

beforeAll(async () => {
  mountOperations(app, {
    owned,
    handlers: {
      perhaps: async ({ body }) => ({ reply: { body: JSON.stringify(body) ?? "none" } }),
      plain: async ({ body }) => ({
        reply:
          body.text === ""
            ? { status: true, url: "", redirect: false }
            : { redirect: true, url: body.text },
      }),
    },
    ring,
    clock: Date.now,
    metrics: createMetrics("test"),
    hooks: {},
    freshAgeSeconds: 60,
    readServiceToken: () => undefined,
    resolveSession: async () => undefined,
    admin,
    anonymous,
    organization,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const post = async ({ name }: Operation, body: string | undefined, contentType?: string) => {
  const caller = { requestId: "r", operation: name, baseUrl: "", address: "", userAgent: "" };
  const answer = await fetch(`${url}/${name}`, {
    method: "POST",
    headers: {
      [callerHeader]: signCaller(ring, caller, Date.now()),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    },
    body: body === undefined ? null : Buffer.from(body),
  });
  return [answer.status, await answer.text()] as const;
};

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const multipart =
  '--limit\r\ncontent-disposition: form-data; name="text"\r\n\r\na\r\n--limit--\r\n';
const invalid = (text: string) =>
  expect(JSON.parse(text)).toMatchObject({
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
  });

test.each([
  [undefined, undefined, "none"],
  [undefined, form, "none"],
  ["", json, "none"],
  ["{}", json, "{}"],
  ["text=a", form, '{"text":"a"}'],
])("passes the optional body %j of type %s to the handler as %s", async (sent, type, body) => {
  expect(await post(owned.perhaps, sent, type)).toEqual([200, JSON.stringify({ body })]);
});

test.each([
  ["null", json],
  ['{"text":1}', json],
  ["{", json],
  ["{}", "text/plain"],
])("validates an optional body: %j of type %s", async (sent, type) => {
  const [status, text] = await post(owned.perhaps, sent, type);
  expect(status).toBe(400);
  invalid(text);
});

/** Attack: a cross-site form, which a browser sends without a preflight request. */
test.each([
  [form, "text=a"],
  ["multipart/form-data; boundary=limit", multipart],
  ["text/plain", '{"text":"a"}'],
  [undefined, '{"text":"a"}'],
])("rejects a body of type %s for an operation that accepts only JSON", async (type, sent) => {
  const [status, text] = await post(owned.plain, sent, type);
  expect(status).toBe(400);
  invalid(text);
});

test("requires a JSON body for an operation that accepts only JSON", async () => {
  expect((await post(owned.plain, '{"text":"a"}', json))[0]).toBe(200);
  invalid((await post(owned.plain, undefined))[1]);
});

test("writes a union reply in the member order of its own shape", async () => {
  const replyTo = async (text: string) =>
    (await post(owned.plain, JSON.stringify({ text }), json))[1];
  expect(await replyTo("")).toBe('{"redirect":false,"url":"","status":true}');
  expect(await replyTo("/a")).toBe('{"url":"/a","redirect":true}');
});
