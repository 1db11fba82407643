import { operations, WireError } from "@latchkey/contracts";
import { beforeEach, expect, test, vi } from "vitest";
import { createHolderResolver, type ResolveHolder } from "./resolve-holder.ts";

interface Sent {
  tokens: readonly string[];
  requestId: string | undefined;
}

let calls: Sent[];
/** The sessions that identity knows: JSON text by token. */
let sessions: Map<string, string>;
/** Tokens whose look-up fails or takes long. */
let broken: Set<string>;
let isAway: boolean;
/** Replies wait for it. */
let mayReply: Promise<void>;
let identity: Parameters<typeof createHolderResolver>[0];
let resolveHolder: ResolveHolder;

const outage = () => new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });

const reply = async ({ tokens }: Sent) => {
  if (isAway || tokens.every((token) => broken.has(token))) throw outage();
  const resolved = tokens.map((token) =>
    broken.has(token) ? null : (sessions.get(token) ?? "null"),
  );
  return { resolved };
};

beforeEach(() => {
  calls = [];
  sessions = new Map(
    Array.from({ length: 200 }, (_, index) => [`token ${index}`, `{"session":${index}}`]),
  );
  broken = new Set();
  isAway = false;
  mayReply = Promise.resolve();
  identity = {
    call: async (operation, { body }, { requestId } = {}) => {
      expect(operation).toBe(operations.identity.resolveSessions);
      const sent = { ...(body as unknown as Pick<Sent, "tokens">), requestId };
      calls.push(sent);
      const replied = reply(sent);
      await Promise.allSettled([mayReply, replied]);
      return replied as never; // a reply of the only operation that is called
    },
  };
  resolveHolder = createHolderResolver(identity, 1);
});

const resolve = (token: string) => resolveHolder({ token, requestId: `request of ${token}` });
const turn = () => new Promise<void>((done) => void setImmediate(done));

test("returns the session of a token, and none for an invalid token", async () => {
  expect(await resolve("token 7")).toBe('{"session":7}');
  expect(await resolve("unknown")).toBeUndefined();
  expect(calls).toEqual([
    { tokens: ["token 7"], requestId: "request of token 7" },
    { tokens: ["unknown"], requestId: "request of unknown" },
  ]);
});

/** Attack: a client receives the session of a concurrent request. */
test("gives each of many concurrent requests its own session", async () => {
  const tokens = Array.from({ length: 300 }, (_, index) => `token ${(index * 7919) % 220}`);
  const found = await Promise.all(tokens.map(resolve));
  expect(found).toEqual(tokens.map((token) => sessions.get(token)));
  expect(calls.map(({ tokens: { length } }) => length)).toEqual([64, 64, 64, 64, 44]);
});

/** Attack: using a token after its session was revoked. */
test("shares no call that was sent before the request", async () => {
  const wait = Promise.withResolvers<void>();
  mayReply = wait.promise;
  const before = resolve("token 1");
  await turn();
  sessions.delete("token 1");
  const after = resolve("token 1");
  await turn();
  wait.resolve();
  expect(await Promise.all([before, after])).toEqual(['{"session":1}', undefined]);
  expect(calls).toHaveLength(2);
});

test("sends as many calls at a time as there are replicas", async () => {
  const wait = Promise.withResolvers<void>();
  mayReply = wait.promise;
  const resolveAtBoth = createHolderResolver(identity, 2);
  const found = [];
  // Look-ups that wait for a call are then sent only at its end.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    for (const token of ["token 1", "token 2", "token 3"]) {
      found.push(resolveAtBoth({ token, requestId: token }));
      await turn();
    }
    expect(calls.map(({ tokens }) => tokens)).toEqual([["token 1"], ["token 2"]]);
    wait.resolve();
    const sessions = ['{"session":1}', '{"session":2}', '{"session":3}'];
    expect(await Promise.all(found)).toEqual(sessions);
  } finally {
    vi.useRealTimers();
  }
});

test("a failed look-up fails only its own request", async () => {
  broken.add("token 2");
  const found = await Promise.allSettled(["token 1", "token 2", "token 3"].map(resolve));
  expect(found).toEqual([
    { status: "fulfilled", value: '{"session":1}' },
    { status: "rejected", reason: outage() },
    { status: "fulfilled", value: '{"session":3}' },
  ]);
  expect(calls.map(({ tokens }) => tokens)).toEqual([
    ["token 1", "token 2", "token 3"],
    ["token 2"],
  ]);
});

test("an outage of identity is an error for each request, and not a missing session", async () => {
  isAway = true;
  const found = await Promise.allSettled(["token 1", "token 2"].map(resolve));
  expect(found).toEqual(Array.from(found, () => ({ status: "rejected", reason: outage() })));
  expect(calls).toHaveLength(1);
  isAway = false;
  expect(await resolve("token 1")).toBe('{"session":1}');
});
