import {
  callerHeader,
  operation,
  optionsSchema,
  stepUps,
  timestamp,
  WireError,
} from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "../observe/logger.ts";
import { createMetrics } from "../observe/metrics.ts";
import { signCaller, type UnsignedCaller } from "./caller-signature.ts";
import { createServer } from "./create-server.ts";
import { mountOperations } from "./mount-operations.ts";
import { createOperationClient } from "./operation-client.ts";
import { createServicePool, type ServicePool } from "./service-pool.ts";
import { createServiceTokenReader } from "./service-token.ts";

const { admin, anonymous, organization } = optionsSchema.parse({});

const at = new Date("2030-01-01T00:00:00.000Z");

const common = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  errors: [],
  stepUp: stepUps.noSession,
  access: "anyone",
} as const;
const owned = {
  echo: operation({
    ...common,
    name: "echo",
    method: "POST",
    path: "/echo",
    summary: "Says it again.",
    body: z.object({ text: z.string(), fail: z.string().optional() }),
    reply: z.object({ text: z.string(), at: timestamp }),
  }),
  mine: operation({
    ...common,
    name: "mine",
    method: "POST",
    path: "/mine",
    summary: "Needs a session.",
    body: z.object({ text: z.string() }),
    reply: z.object({ ok: z.boolean() }),
    access: "fresh session",
  }),
  guarded: operation({
    ...common,
    name: "guarded",
    method: "POST",
    path: "/guarded",
    summary: "Needs an admin.",
    body: z.object({}),
    reply: z.object({ ok: z.boolean() }),
    access: "permission",
    permission: { resource: "user", action: "list", refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS" },
    signedOut: ["USER_NOT_FOUND", 401],
  }),
  keyless: operation({
    ...common,
    name: "keyless",
    method: "POST",
    path: "/keyless",
    summary: "Refuses keys.",
    reply: z.object({ ok: z.boolean() }),
    access: "permission",
    permission: { resource: "user", action: "list", refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS" },
    refusesApiKeys: true,
  }),
  inside: operation({
    ...common,
    name: "inside",
    exposure: "internal",
    rateClass: "none",
    method: "GET",
    path: "/inside",
    summary: "For services.",
    query: z.object({ n: z.string() }),
    reply: z.object({ service: z.string(), n: z.string() }).nullable(),
    repeatable: true,
  }),
};

const ring = createSecretRing(["a secret of this test"]);
const user = {
  id: "u",
  name: "",
  email: "",
  emailVerified: false,
  image: null,
  createdAt: at,
  updatedAt: at,
};
const session = (updatedAt: Date) => ({
  id: "s",
  token: "t",
  userId: "u",
  expiresAt: at,
  createdAt: at,
  updatedAt,
  ipAddress: "",
  userAgent: "",
});

const app = createServer(createLogger({ service: "test", level: "silent" }));
let url: string;
let pool: ServicePool;

beforeAll(async () => {
  mountOperations(app, {
    owned,
    handlers: {
      echo: async ({ body }) => {
        if (body.fail === "wire") throw new WireError("INVALID_PASSWORD", { retryAfterSeconds: 3 });
        if (body.fail === "bug") throw new TypeError("internal detail");
        const reply = { text: body.text, at, undeclared: "leak" };
        return { reply, effect: { kind: "clear" } };
      },
      mine: async () => ({ reply: { ok: true } }),
      guarded: async () => ({ reply: { ok: true } }),
      keyless: async () => ({ reply: { ok: true } }),
      inside: async ({ caller, query }) => ({
        reply: query.n === "0" ? null : { service: caller.service ?? "", n: query.n },
      }),
    },
    ring,
    clock: () => at.getTime(),
    metrics: createMetrics("test"),
    hooks: {},
    freshAgeSeconds: 60,
    readServiceToken: createServiceTokenReader({ billing: "a token of billing" }),
    resolveSession: async ({ sessionToken }) => {
      if (sessionToken === undefined) return undefined;
      const age = sessionToken === "stale" ? 60_000 : 59_999;
      const role = sessionToken === "admin's" ? "admin" : "user";
      return { session: session(new Date(at.getTime() - age)), user: { ...user, role } };
    },
    admin,
    anonymous,
    organization,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  pool = createServicePool([url]);
});
afterAll(async () => {
  await pool.close();
  await app.close();
});

const post = (
  path: string,
  body: unknown,
  caller: Partial<UnsignedCaller> & { operation: string },
  headers: Record<string, string> = {},
) =>
  fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      [callerHeader]: signCaller(
        ring,
        { requestId: "r", baseUrl: "", address: "", userAgent: "", ...caller },
        at.getTime(),
      ),
      ...headers,
    },
    body: JSON.stringify(body),
  });

test("sends only the declared members of a reply, as plain application/json", async () => {
  const answer = await post("/echo", { text: "é" }, { operation: "echo" });
  expect(await answer.json()).toEqual({ text: "é", at: "2030-01-01T00:00:00.000Z" });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-latchkey-effect")).not.toBeNull();
});

test("rejects an unsigned caller before it reads input", async () => {
  const answers = await Promise.all([
    post("/echo", {}, { operation: "other" }),
    post("/echo", {}, { operation: "echo" }, { [callerHeader]: "forged.header" }),
    fetch(`${url}/internal/inside?n=1`),
    fetch(`${url}/internal/inside?n=1`, { headers: { authorization: "Bearer wrong" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await answers[0]?.json()).toEqual({ code: "FORBIDDEN", message: "Forbidden" });
});

test("checks input before the session, and the session before its freshness", async () => {
  const operationName = { operation: "mine" };
  expect((await post("/mine", {}, operationName)).status).toBe(400);
  expect((await post("/mine", { text: "" }, operationName)).status).toBe(401);
  const stale = await post("/mine", { text: "" }, { ...operationName, sessionToken: "stale" });
  expect([stale.status, await stale.json()]).toEqual([
    403,
    { code: "SESSION_IS_NOT_FRESH", message: "Session is not fresh" },
  ]);
  expect(
    (await post("/mine", { text: "" }, { ...operationName, sessionToken: "fresh" })).status,
  ).toBe(200);
});

test("rejects a missing session with the operation's error, and others by their role", async () => {
  const answers = await Promise.all(
    [{}, { sessionToken: "fresh" }, { sessionToken: "admin's" }].map((held) =>
      post("/guarded", {}, { operation: "guarded", ...held }),
    ),
  );
  expect(
    await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()])),
  ).toEqual([
    [401, { code: "USER_NOT_FOUND", message: "User not found" }],
    [403, expect.objectContaining({ code: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS" })],
    [200, { ok: true }],
  ]);
});

test("rejects sessions of API keys for an operation that refuses them", async () => {
  const byKey = { apiKeyId: "k", sessionToken: "admin's" };
  const answers = await Promise.all([
    post("/keyless", {}, { operation: "keyless", ...byKey }),
    post("/keyless", {}, { operation: "keyless", sessionToken: "admin's" }),
    post("/guarded", {}, { operation: "guarded", ...byKey }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 200, 200]);
  expect(await answers[0]?.json()).toEqual({ code: "FORBIDDEN", message: "Forbidden" });
});

test("reports invalid input by field and reason, never by value", async () => {
  const answer = await post("/echo", { text: ["a secret value"] }, { operation: "echo" });
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
    issues: [{ path: "text" }],
  });
  expect(text).not.toContain("a secret value");
});

test("sends a catalogue error with Retry-After, and any other error as 500 without a body", async () => {
  const answer = await post("/echo", { text: "", fail: "wire" }, { operation: "echo" });
  expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
    400,
    "3",
    { code: "INVALID_PASSWORD", message: "Invalid password" },
  ]);
  const bug = await post("/echo", { text: "", fail: "bug" }, { operation: "echo" });
  expect([bug.status, await bug.text()]).toEqual([500, ""]);
});

test("identifies the service that calls an internal operation by its token", async () => {
  const client = createOperationClient({ pool, serviceToken: "a token of billing" });
  const inside = { query: { n: "7" } };
  expect(await client.call(owned.inside, inside)).toEqual({ service: "billing", n: "7" });
  expect(await client.call(owned.inside, { query: { n: "0" } })).toBeNull();
  const stranger = createOperationClient({ pool, serviceToken: "wrong" });
  await expect(stranger.call(owned.inside, inside)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("identifies a service of the installation by its signature, without a token", async () => {
  const named = (signingRing: typeof ring, service?: string) =>
    createOperationClient({
      pool,
      signFor: ({ name }) => {
        const caller = { requestId: "r", baseUrl: "", address: "", userAgent: "" };
        const by = service === undefined ? {} : { service };
        return signCaller(signingRing, { ...caller, operation: name, ...by }, at.getTime());
      },
    });
  const inside = { query: { n: "7" } };
  expect(await named(ring, "gateway").call(owned.inside, inside)).toEqual({
    service: "gateway",
    n: "7",
  });
  const refused = { code: "FORBIDDEN" };
  const forged = named(createSecretRing(["another secret"]), "gateway");
  await expect(forged.call(owned.inside, inside)).rejects.toMatchObject(refused);
  await expect(named(ring).call(owned.inside, inside)).rejects.toMatchObject(refused);
});
