import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { operations } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import {
  createServicePool,
  type ServicePool,
  sharedCallPath,
  type SharedAnswer,
  writeSharedAnswers,
} from "@latchkey/service-kit/http";
import type { Tracing } from "@latchkey/service-kit/observe";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUserRevisions } from "../user-revisions/user-revisions.ts";
import type { ForwardRequest } from "./forward.ts";
import { createCallSharer, type ShareCall } from "./share-call.ts";

const { getSession, listSessions, refreshSession, resolveSession } = operations.identity;
const { hasOrganizationPermission } = operations.organization;

interface Sent {
  caller: { sessionToken: string; operation: string };
  query?: Record<string, string>;
  body?: string;
}

const ring = createSecretRing(["a secret for this test"]);
const revisions = createUserRevisions({ clock: Date.now, cachedSeconds: 60 });

let server: Server;
let pool: ServicePool;
/** The requests of each call. */
let calls: Sent[][];
let answer: (sent: Sent) => SharedAnswer | undefined;
/** The status of the calls. */
let status: number;
/** Events that were applied. */
let applied: unknown[];
/** Delays the replies to calls. */
let gate: Promise<void>;

const named = ({ caller }: Sent): SharedAnswer => ({
  status: 200,
  headers: {},
  body: `"${caller.operation} ${caller.sessionToken}"`,
});

beforeEach(async () => {
  [calls, applied, status, answer, gate] = [[], [], 200, named, Promise.resolve()];
  server = createServer((request, response) => {
    text(request).then(
      async (body) => {
        expect(request.url).toBe(sharedCallPath);
        const sent = JSON.parse(body) as Sent[];
        calls.push(sent);
        const answers = writeSharedAnswers(sent.map(answer));
        await gate;
        response.writeHead(status, { "retry-after": "3" }).end(answers);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  pool = createServicePool([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterEach(async () => {
  await pool.destroy();
  server.close();
});

const create = (
  config: { sharesCalls?: boolean; notShared?: string[] } = {},
  tracing?: Tracing,
): ShareCall =>
  createCallSharer({
    services: { identity: pool, organization: pool },
    ring,
    clock: Date.now,
    revisions,
    applyUrgentEvents: async (events) => void applied.push(...events),
    config: {
      sharesCalls: config.sharesCalls ?? true,
      notShared: new Set(config.notShared),
    },
    tracing,
  });

let count = 0;
const requestOf = (
  sessionToken: string | undefined,
  own: Partial<ForwardRequest> = {},
): ForwardRequest => {
  const { operation = getSession } = own;
  return {
    operation,
    path: operation.path,
    search: "",
    query: {},
    contentType: undefined,
    body: undefined,
    ...own,
    caller: {
      requestId: `r${(count += 1)}`,
      operation: operation.name,
      baseUrl: "a",
      address: "",
      userAgent: "",
      ...(sessionToken === undefined ? {} : { sessionToken }),
      ...own.caller,
    },
  };
};

const sendAll = (share: ShareCall, requests: readonly ForwardRequest[]) =>
  Promise.all(requests.map(share));
const sendTokens = (share: ShareCall, tokens: readonly string[]) =>
  sendAll(
    share,
    tokens.map((token) => requestOf(token)),
  );
const bodiesOf = (answered: Awaited<ReturnType<typeof sendAll>>) =>
  answered.map((one) => one?.body);
const tokensOf = (length: number) => Array.from({ length }, (_, index) => `t${index}`);

test("16 concurrent requests share a call, and each gets its own answer", async () => {
  const tokens = tokensOf(16);
  const answered = await sendTokens(create(), tokens);
  expect(bodiesOf(answered)).toEqual(tokens.map((token) => `"getSession ${token}"`));
  expect(calls).toHaveLength(1);
});

test("look-ups of the gateway itself share the calls of other requests", async () => {
  const lookUp = requestOf(undefined, { operation: resolveSession });
  lookUp.caller.service = "gateway";
  await sendAll(create(), [lookUp, requestOf("t")]);
  expect(calls.map((sent) => sent.map(({ caller: { operation } }) => operation))).toEqual([
    ["resolveSession", "getSession"],
  ]);
});

test("requests of different operations share a call, and those of different owners do not", async () => {
  const body = Buffer.from('{"permissions":{}}');
  const asking = {
    operation: hasOrganizationPermission,
    body,
    contentType: "application/json; a=b",
  };
  const answered = await sendAll(create(), [
    requestOf("t", { search: "?disableRefresh=true", query: { disableRefresh: "true" } }),
    requestOf("u", { operation: listSessions }),
    requestOf("v", asking),
    requestOf("w", asking),
  ]);
  expect(bodiesOf(answered)).toEqual([
    '"getSession t"',
    '"listSessions u"',
    '"hasOrganizationPermission v"',
    '"hasOrganizationPermission w"',
  ]);
  expect(
    calls
      .map((sent) =>
        sent.map(({ caller: { sessionToken }, query, body: text }) => [sessionToken, query, text]),
      )
      .toSorted(),
  ).toEqual([
    [
      ["t", { disableRefresh: "true" }, undefined],
      ["u", undefined, undefined],
    ],
    [
      ["v", undefined, body.toString()],
      ["w", undefined, body.toString()],
    ],
  ]);
});

/** Attack: a request after a revocation that gets the answer of a call from before it. */
test("a request never joins a call that was sent", async () => {
  const share = create();
  const release = Promise.withResolvers<void>();
  gate = release.promise;
  const first = sendTokens(share, ["t", "u"]);
  while (calls.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
  answer = () => ({ status: 401, headers: {}, body: "{}" });
  const second = sendTokens(share, ["t", "u"]);
  release.resolve();
  expect((await first).map((one) => one?.status)).toEqual([200, 200]);
  expect((await second).map((one) => one?.status)).toEqual([401, 401]);
  expect(calls).toHaveLength(2);
});

test("sends as many calls at a time as there are replicas", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await pool.destroy();
  pool = createServicePool([url, url]);
  const share = create();
  const release = Promise.withResolvers<void>();
  gate = release.promise;
  // Requests that wait for a call are then sent only at its end.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const first = sendTokens(share, ["t", "u"]);
    while (calls.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    const second = sendTokens(share, ["v", "w"]);
    while (calls.length === 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    const third = sendTokens(share, ["x", "y"]);
    for (let turns = 0; turns < 100; turns += 1)
      await new Promise<void>((resolve) => void setImmediate(resolve));
    expect(calls).toHaveLength(2);
    release.resolve();
    expect(bodiesOf([...(await first), ...(await second), ...(await third)])).toEqual(
      ["t", "u", "v", "w", "x", "y"].map((token) => `"getSession ${token}"`),
    );
  } finally {
    vi.useRealTimers();
  }
});

test("a silent call does not block later requests", async () => {
  const share = create();
  const release = Promise.withResolvers<void>();
  gate = release.promise;
  const first = sendTokens(share, ["t", "u"]);
  while (calls.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
  gate = Promise.resolve();
  expect(bodiesOf(await sendTokens(share, ["v", "w"]))).toEqual([
    '"getSession v"',
    '"getSession w"',
  ]);
  release.resolve();
  await first;
});

test("applies the effects of an answer and passes its public headers", async () => {
  const effect = { kind: "cache", epoch: 7 };
  answer = () => ({
    status: 200,
    headers: {
      "x-latchkey-effect": Buffer.from(JSON.stringify(effect)).toString("base64url"),
      "x-latchkey-epoch": "ada:7",
      "set-auth-jwt": "jwt",
    },
    body: '{"\u00fc":"\u20ac"}',
  });
  const [answered] = await sendTokens(create(), ["t", "u"]);
  expect(answered).toEqual({
    status: 200,
    headers: { "content-type": "application/json", "set-auth-jwt": "jwt" },
    body: '{"\u00fc":"\u20ac"}',
    effect,
    question: undefined,
  });
  expect(revisions.isCurrent("ada", 6)).toBe(false);
});

test("passes a refusal to its own client only", async () => {
  answer = (sent) =>
    sent.caller.sessionToken === "t" ? { status: 401, headers: {}, body: "{}" } : named(sent);
  const answered = await sendTokens(create(), ["t", "u"]);
  expect(answered.map((one) => one?.status)).toEqual([401, 200]);
});

test("forwards a request that the owner leaves out, and no other of the call", async () => {
  answer = (sent) => (sent.caller.sessionToken === "t" ? undefined : named(sent));
  expect(bodiesOf(await sendTokens(create(), ["t", "u"]))).toEqual([undefined, '"getSession u"']);
});

test("rejects all requests of a call to an unavailable store, and no later ones", async () => {
  const share = create();
  status = 503;
  const unavailable = expect.objectContaining({
    code: "SERVICE_UNAVAILABLE",
    retryAfterSeconds: 3,
  });
  const failed = await Promise.allSettled([share(requestOf("t")), share(requestOf("u"))]);
  expect(failed).toEqual([
    { status: "rejected", reason: unavailable },
    { status: "rejected", reason: unavailable },
  ]);
  status = 200;
  expect(bodiesOf(await sendTokens(share, ["t", "u"]))).toEqual([
    '"getSession t"',
    '"getSession u"',
  ]);
});

test.each([403, 404, 500])(
  "forwards all requests of a call that the owner answers with %i",
  async (failure) => {
    status = failure;
    expect(await sendTokens(create(), ["t", "u"])).toEqual([undefined, undefined]);
  },
);

test("splits more than 64 requests", async () => {
  const tokens = tokensOf(130);
  await sendTokens(create(), tokens);
  // The calls run concurrently and arrive in any order.
  expect(calls.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual([64, 64, 2]);
});

test("forwards the requests that make a call too large", async () => {
  const resolved = JSON.stringify({ session: {}, user: { bio: "\u20ac".repeat(60_000) } });
  const requests = tokensOf(6).map((token) => requestOf(token));
  for (const { caller } of requests) caller.resolved = resolved;
  const answered = await sendAll(create(), requests);
  expect(answered.map(Boolean)).toEqual([true, true, true, true, false, false]);
  expect(calls.map(({ length }) => length)).toEqual([4]);
});

const has = (own: Partial<ForwardRequest>) => ({ operation: hasOrganizationPermission, ...own });
const json = "application/json";
test.each<[string, Parameters<typeof create>, (token: string) => ForwardRequest, number?]>([
  ["without company", [], requestOf, 1],
  ["without a session", [], () => requestOf(undefined)],
  ["of another operation", [], (token) => requestOf(token, { operation: refreshSession })],
  [
    "with a form",
    [],
    (token) => requestOf(token, has({ body: Buffer.from("a=b"), contentType: "text/plain" })),
  ],
  [
    "with a body that is not UTF-8",
    [],
    (token) => requestOf(token, has({ body: Buffer.from([0x22, 0xff, 0x22]), contentType: json })),
  ],
  [
    "with a large body",
    [],
    (token) => requestOf(token, has({ body: Buffer.alloc(9_000, " "), contentType: json })),
  ],
  ["that hooks of the application see", [{ sharesCalls: false }], requestOf],
  ["that run functions of the application", [{ notShared: [getSession.name] }], requestOf],
  ["that are traced", [{}, {} as Tracing], requestOf], // only its presence counts
])("forwards requests %s", async (_case, sharing, request, length = 2) => {
  const answered = await sendAll(
    create(...sharing),
    tokensOf(length).map((token) => request(token)),
  );
  expect(answered).toEqual(answered.map(() => undefined));
  expect(calls).toEqual([]);
});
