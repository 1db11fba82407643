import { operation, optionsSchema, stepUps, WireError } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createLogger } from "../observe/logger.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import type { UnsignedCaller } from "./caller-signature.ts";
import { createServer } from "./create-server.ts";
import { mountOperations } from "./mount-operations.ts";
import {
  readSharedAnswers,
  sharedCallHeader,
  sharedCallPath,
  signSharedCall,
  writeSharedRequest,
} from "./shared-call.ts";

const { admin, anonymous, organization } = optionsSchema.parse({});

const common = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  errors: [],
  stepUp: stepUps.noSession,
  summary: "",
  repeatable: true,
  sharesCalls: true,
} as const;
const owned = {
  read: operation({
    ...common,
    name: "read",
    method: "GET",
    path: "/read",
    access: "session",
    query: z.object({ text: z.string().max(10).optional() }),
    reply: z.object({ text: z.string() }),
  }),
  count: operation({
    ...common,
    name: "count",
    method: "POST",
    path: "/count",
    access: "anyone",
    body: z.object({ text: z.string() }),
    reply: z.object({ length: z.number() }),
  }),
  write: operation({
    ...common,
    name: "write",
    method: "POST",
    path: "/write",
    access: "anyone",
    reply: z.object({ ok: z.boolean() }),
    sharesCalls: false,
  }),
};

const ring = createSecretRing(["a secret of this test"]);
const never = new Promise<never>(() => {});
const away = () => Object.assign(new Error("away"), { code: "ECONNREFUSED" });

let app: FastifyInstance;
let metrics: Metrics;
let now: number;
/** The users whose sessions have ended. */
let ended: Set<string>;

const textOf = async (text: string): Promise<string> => {
  if (text === "slow") await never;
  if (text === "bug") throw new TypeError("internal detail");
  if (text === "away") throw away();
  if (text === "limited") throw new WireError("RATE_LIMITED", { retryAfterSeconds: 3 });
  if (text === "large") return "x".repeat(9 * 1024 * 1024);
  return text;
};

beforeEach(() => {
  [now, ended] = [Date.UTC(2030), new Set()];
  metrics = createMetrics("identity");
  app = createServer(createLogger({ service: "test", level: "silent" }));
  mountOperations(app, {
    owned,
    handlers: {
      read: async ({ query, session }) => {
        const text = await textOf(query.text ?? session.user.id);
        const reply = { text, undeclared: "leak" };
        return { reply, effect: { kind: "cache", epoch: 1 }, headers: { "set-auth-jwt": "jwt" } };
      },
      count: async ({ body }) => ({ reply: { length: body.text.length } }),
      write: async () => ({ reply: { ok: true } }),
    },
    ring,
    clock: () => now,
    metrics,
    readServiceToken: () => "service",
    hooks: {},
    freshAgeSeconds: 0,
    admin,
    anonymous,
    organization,
    resolveSession: async ({ sessionToken = "" }) => {
      if (ended.has(sessionToken)) return undefined;
      return { session: {}, user: { id: sessionToken } } as never; // only its id is read
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

type Request = Parameters<typeof writeSharedRequest>[0];

const requestOf = (name: string, own: Partial<Request> & { token?: string } = {}): Request => {
  const { token = "ada", ...others } = own;
  const caller: UnsignedCaller = {
    requestId: "r",
    operation: name,
    baseUrl: "",
    address: "",
    userAgent: "",
    sessionToken: token,
  };
  return { caller, ...others };
};
const read = (text: string) => requestOf("read", { query: { text } });

const send = async (requests: readonly Request[], signed?: string) => {
  const call = Buffer.from(`[${requests.map(writeSharedRequest).join(",")}]`);
  const answer = await app.inject({
    method: "POST",
    url: sharedCallPath,
    payload: call,
    headers: {
      "content-type": "application/json",
      authorization: "Bearer token",
      [sharedCallHeader]: signed ?? signSharedCall(ring, call, now),
    },
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
};
const answersTo = async (...requests: readonly Request[]) => {
  const { status, text } = await send(requests);
  expect(status).toBe(200);
  return readSharedAnswers(text);
};

test("answers requests of several operations as each would be answered alone", async () => {
  const [own, named, counted] = await answersTo(
    requestOf("read"),
    read("\u20ac\n"),
    requestOf("count", { body: '{"text":"\u00fcber"}' }),
  );
  const headers = {
    "x-latchkey-effect": Buffer.from('{"kind":"cache","epoch":1}').toString("base64url"),
    "set-auth-jwt": "jwt",
  };
  expect(own).toEqual({ status: 200, headers, body: '{"text":"ada"}' });
  expect(named).toEqual({ status: 200, headers, body: '{"text":"\u20ac\\n"}' });
  expect(counted).toEqual({ status: 200, headers: {}, body: '{"length":4}' });
});

test("refuses a request by its own schema, session or handler, and answers the others", async () => {
  ended.add("bob");
  const answers = await answersTo(
    read("longer than ten"),
    requestOf("read", { token: "bob" }),
    read("limited"),
    requestOf("count", { body: "{" }),
    requestOf("count"),
    read("a"),
  );
  expect(answers.map((answer) => answer?.status)).toEqual([400, 401, 429, 400, 400, 200]);
  expect(answers[0]?.body).toContain('"path":"text"');
  expect(answers[2]?.headers).toEqual({ "retry-after": "3", "x-retry-after": "3" });
});

/** Attack: the use of a session that has just been revoked. */
test("refuses a session that ended between two requests", async () => {
  const request = requestOf("read");
  expect((await answersTo(request)).map((answer) => answer?.status)).toEqual([200]);
  ended.add("ada");
  expect((await answersTo(request)).map((answer) => answer?.status)).toEqual([401]);
});

test("leaves out requests that fail unexpectedly or are not shared", async () => {
  const answers = await answersTo(
    read("bug"),
    read("away"),
    requestOf("write"),
    requestOf("unknown"),
    read("a"),
  );
  expect(answers.map(Boolean)).toEqual([false, false, false, false, true]);
});

test("a slow request does not block the others", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answering = answersTo(read("slow"), read("a"));
  while (vi.getTimerCount() === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
  await vi.runAllTimersAsync();
  expect((await answering).map(Boolean)).toEqual([false, true]);
});

test("leaves out replies that are too large for one call", async () => {
  const answers = await answersTo(read("large"), read("large"), read("a"));
  expect(answers.map(Boolean)).toEqual([true, false, true]);
});

test("fails as a whole if a store is unavailable to all", async () => {
  const { status, headers } = await send([read("away"), read("away")]);
  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
});

test("leaves out all requests if each fails by itself", async () => {
  expect(await answersTo(read("bug"), read("bug"))).toEqual([undefined, undefined]);
});

test("counts each answered request under its operation", async () => {
  await answersTo(read("a"), read("bug"), requestOf("count", { body: "{}" }));
  const text = await metrics.registry.metrics();
  const counted = [...text.matchAll(/request_seconds_count\{(.*)\} (\d+)/g)].map(
    ([, labels = "", number]) => [
      /operation="(\w+)"/.exec(labels)?.[1],
      /status="(\w+)"/.exec(labels)?.[1],
      number,
    ],
  );
  expect(counted.toSorted()).toEqual([
    ["count", "400", "1"],
    ["read", "200", "1"],
  ]);
});

const valid = [read("a"), read("b")];
const callOf = (requests: readonly Request[]) =>
  Buffer.from(`[${requests.map(writeSharedRequest).join(",")}]`);

/** Attack: a call that the gateway did not sign, or signed for other requests or long ago. Service tokens open no shared call. */
test.each<[string, () => string]>([
  ["without a signature", () => ""],
  ["with the signature of another call", () => signSharedCall(ring, callOf([read("a")]), now)],
  [
    "with the signature of another installation",
    () => signSharedCall(createSecretRing(["another secret"]), callOf(valid), now),
  ],
  ["with an expired signature", () => signSharedCall(ring, callOf(valid), now - 30_000)],
  [
    "with a prolonged signature",
    () => {
      const [, mac] = signSharedCall(ring, callOf(valid), now - 30_000).split(".");
      return `${now + 30_000}.${mac}`;
    },
  ],
])("refuses a call %s", async (_case, signed) => {
  expect((await send(valid, signed())).status).toBe(403);
});
