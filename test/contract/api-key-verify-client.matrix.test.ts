import { readFile } from "node:fs/promises";
import type { ApiKeyVerdict, Wire } from "@latchkey/contracts";
import { expectNoLeaks, freePort, until } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { buildInvoiceApi } from "../../docs/examples/fastify-verify.ts";
import { createVerifier, type VerifiedKey, type Verifier } from "../../libs/server/src/index.ts";
import type { Verdict } from "../../libs/server/src/api-keys/read-verdict.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const token = serviceConfig.serviceTokens.backoffice;
const guesserToken = "a token of a service that guesses";
/** More than the other tests here need. */
const guessesMax = 20;

let url: string;
let verifier: Verifier;
let ada: TestUser;
const { system, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    serviceTokens: { ...serviceConfig.serviceTokens, guesser: guesserToken },
    apiKey: { enableMetadata: true, unknownKeys: { max: guessesMax } },
  },
});
beforeAll(async () => {
  url = system.urlOf("apikey");
  verifier = createVerifier({ url, token });
});
beforeEach(async () => {
  ada = await signUp(system);
});

/** Answer to the creation of a key. */
type Created = VerifiedKey & { key: string };

/** Lets a service create a key for a user. */
const createKey = async (
  own: object = {},
  owner: Pick<TestUser, "user"> = ada,
  at = url,
): Promise<Created> => {
  const { status, body } = await readResponse<Created>(
    await fetch(`${at}/internal/api-key/create`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ userId: owner.user.id, rateLimitEnabled: false, ...own }),
    }),
  );
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

test("the client's types match the reply that the service declares", () => {
  expectTypeOf<NonNullable<Wire<ApiKeyVerdict>["key"]>>().toEqualTypeOf<VerifiedKey>();
  expectTypeOf<Wire<ApiKeyVerdict>>().toExtend<Verdict>();
});

test("a valid key is returned with all that its owner sees, after the use", async () => {
  const permissions = { invoice: ["read", "pay"] };
  const metadata = { plan: "free" };
  const created = await createKey({ remaining: 5, permissions, metadata, expiresIn: 86_400 });
  const result = await verifier.verify(created.key, { permissions: { invoice: ["pay"] } });
  const { body } = await readResponse<VerifiedKey>(
    await ada.browser.get(`/api-key/get?id=${encodeURIComponent(created.id)}`),
  );
  expect(result).toEqual({ ok: true, key: body });
  expect(body).toMatchObject({ userId: ada.user.id, remaining: 4, permissions, metadata });
});

/** Reasons to refuse a key, and how to produce each. */
const refusals: Record<string, (key: Created) => Promise<unknown>> = {
  disabled: ({ id }) => ada.browser.post("/api-key/update", { keyId: id, enabled: false }),
  expired: ({ id }) =>
    rows.query("update apikey.api_key set expires_at = now() - interval '1 s' where id = $1", id),
  forbidden: async () => {},
  exhausted: ({ id }) => rows.query("update apikey.api_key set remaining = 0 where id = $1", id),
  unknown: ({ id }) => ada.browser.post("/api-key/delete", { keyId: id }),
};

test.each(Object.entries(refusals))("a key is %s", async (reason, spoil) => {
  const created = await createKey({ remaining: 5, permissions: { invoice: ["read"] } });
  await spoil(created);
  const permissions = { invoice: [reason === "forbidden" ? "pay" : "read"] };
  expect(await verifier.verify(created.key, { permissions })).toEqual({ ok: false, reason });
});

test("a text that is too short or far too long is malformed", async () => {
  for (const key of ["short", "k".repeat(2_000), "k".repeat(100_000)])
    expect(await verifier.verify(key)).toEqual({ ok: false, reason: "malformed" });
});

test("a key over its rate limit returns when to retry", async () => {
  const limits = { rateLimitEnabled: true, rateLimitMax: 1, rateLimitTimeWindow: 60_000 };
  const { key } = await createKey(limits);
  expect(await verifier.verify(key)).toMatchObject({ ok: true });
  const refused = await verifier.verify(key);
  expect(refused).toEqual({
    ok: false,
    reason: "rate-limited",
    retryAfterMilliseconds: expect.any(Number),
  });
  const { retryAfterMilliseconds } = refused as { retryAfterMilliseconds: number };
  expect(retryAfterMilliseconds).toBeGreaterThan(0);
  expect(retryAfterMilliseconds).toBeLessThanOrEqual(60_000);
});

test("rejects the key of a banned owner", async () => {
  const admin = await signUpAs(system, "admin");
  const { key } = await createKey();
  expect((await callAdmin(admin, "/ban-user", { userId: ada.user.id })).status).toBe(200);
  await until(async () => !(await verifier.verify(key)).ok);
  expect(await verifier.verify(key)).toEqual({ ok: false, reason: "banned" });
});

test("a service that guesses is throttled, and keys that it has found valid keep working", async () => {
  const guesser = createVerifier({ url, token: guesserToken });
  const { key } = await createKey();
  const { key: other } = await createKey();
  expect(await guesser.verify(key)).toMatchObject({ ok: true });
  await until(async () => {
    const guess = await guesser.verify("k".repeat(64));
    return !guess.ok && guess.reason === "throttled";
  });
  expect(await guesser.verify(other)).toEqual({
    ok: false,
    reason: "throttled",
    retryAfterMilliseconds: expect.any(Number),
  });
  expect(await guesser.verify(key)).toMatchObject({ ok: true });
  expect(await verifier.verify(other)).toMatchObject({ ok: true });
});

test("a wrong service token is not reported as an invalid key", async () => {
  const { key } = await createKey();
  expect(await createVerifier({ url, token: "no token" }).verify(key)).toMatchObject({
    reason: "unavailable",
    cause: { message: "The apikey service rejects the service token (403): check the token" },
  });
});

test("malformed permissions are not reported as an invalid key", async () => {
  const { key } = await createKey();
  expect(await verifier.verify(key, { permissions: { "": ["read"] } })).toMatchObject({
    reason: "unavailable",
    cause: { message: expect.stringContaining("(400)") },
  });
});

test("five of 16 concurrent verifications of a key with five uses succeed", async () => {
  const { key } = await createKey({ remaining: 5, refillAmount: 5, refillInterval: 30 });
  const results = await race(() => verifier.verify(key));
  expect(results.filter(({ ok }) => ok)).toHaveLength(5);
  expect(results.filter(({ ok }) => !ok)).toEqual(
    Array.from({ length: 11 }, () => ({ ok: false, reason: "exhausted" })),
  );
});

describe("the example for Fastify", () => {
  const callInvoices = async (
    key: string | undefined,
    own: { method?: "POST"; url?: string } = {},
  ) => {
    const app = buildInvoiceApi({ url: own.url ?? url, token });
    const headers = key === undefined ? {} : { "x-api-key": key };
    const answer = await app.inject({ method: own.method ?? "GET", url: "/invoices", headers });
    await app.close();
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  test("matches the code in the documentation", async () => {
    const example = await readFile("docs/examples/fastify-verify.ts", "utf8");
    expect(await readFile("docs/verifying-keys.md", "utf8")).toContain(
      `\`\`\`ts\n${example}\`\`\``,
    );
  });

  test("allows reads with any valid key, and payments only with that permission", async () => {
    const { key } = await createKey();
    expect(await callInvoices(key)).toMatchObject({
      status: 200,
      body: { of: { userId: ada.user.id } },
    });
    const forbidden = { status: 403, body: { error: "forbidden" } };
    expect(await callInvoices(key, { method: "POST" })).toMatchObject(forbidden);
    const paying = await createKey({ permissions: { invoice: ["pay"] } });
    const paid = { status: 200, body: { paidBy: { userId: ada.user.id } } };
    expect(await callInvoices(paying.key, { method: "POST" })).toMatchObject(paid);
  });

  test("rejects requests without a key or with an invalid one", async () => {
    for (const key of [undefined, "", "short"])
      expect(await callInvoices(key)).toMatchObject({ status: 401, body: { error: "malformed" } });
  });

  test("returns when to retry if the rate limit is exceeded", async () => {
    const limits = { rateLimitEnabled: true, rateLimitMax: 1, rateLimitTimeWindow: 60_000 };
    const { key } = await createKey(limits);
    expect(await callInvoices(key)).toMatchObject({ status: 200 });
    expect(await callInvoices(key)).toMatchObject({
      status: 429,
      body: { error: "rate-limited" },
      headers: { "retry-after": expect.stringMatching(/^[1-9]\d?$/) },
    });
  });

  test("returns 503 if the apikey service is down", async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    expect(await callInvoices("k".repeat(64), { url: away })).toMatchObject({
      status: 503,
      body: { error: "unavailable" },
    });
  });
});

describe("with two replicas and sessions in redis", () => {
  const { system: split } = useSystem({
    topology: "processes",
    stores: "redis",
    config: { serviceTokens: serviceConfig.serviceTokens },
    replicas: { apikey: 2 },
  });
  const replicas = () => [0, 1].map((replica) => split.urlOf("apikey", replica));
  const keyWith = async (own: object) => {
    return createKey(own, await signUp(split), replicas()[0]);
  };

  test("uses are counted together", async () => {
    const { key } = await keyWith({ remaining: 5, refillAmount: 5, refillInterval: 30 });
    const verifiers = replicas().map((url) =>
      createVerifier({ url, token, timeoutMilliseconds: 60_000 }),
    );
    const results = await race((index) => (verifiers[index % 2] as Verifier).verify(key));
    expect(results.filter(({ ok }) => ok)).toHaveLength(5);
  });

  test("verification continues if one replica is killed", async () => {
    const { key } = await keyWith({});
    const both = createVerifier({ url: replicas(), token, timeoutMilliseconds: 30_000 });
    let isOver = false;
    const restarting = split.restart("apikey", 0, "SIGKILL").finally(() => (isOver = true));
    while (!isOver) expect(await both.verify(key)).toMatchObject({ ok: true });
    expect(await restarting).toMatchObject({ signal: "SIGKILL" });
  });
});
