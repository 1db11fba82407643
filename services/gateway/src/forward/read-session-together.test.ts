import { operations, WireError } from "@latchkey/contracts";
import type { Tracing, UnsignedCaller } from "@latchkey/service-kit";
import { beforeEach, expect, test } from "vitest";
import { createTogetherReader, type ReadSessionTogether } from "./read-session-together.ts";

const { getSession, refreshSession } = operations.identity;

interface Asked {
  sessionToken: string;
  baseUrl: string;
}

/** The callers of each call to identity. */
let calls: Asked[][];
let answer: (asked: Asked) => object | null;
beforeEach(() => {
  calls = [];
  answer = ({ sessionToken, baseUrl }) => ({ json: `"${sessionToken} ${baseUrl}"` });
});

/** Answers one turn later, in the order of the callers. */
const call = async (_operation: unknown, { body }: { body?: { callers: Asked[] } }) => {
  const { callers = [] } = body ?? {};
  calls.push(callers);
  await new Promise<void>((resolve) => void setImmediate(resolve));
  return { sessions: callers.map(answer) };
};

const create = (own: { readsSessionsTogether?: boolean; tracing?: Tracing } = {}) =>
  createTogetherReader({
    identity: { call: call as never }, // calls only this operation
    config: { readsSessionsTogether: own.readsSessionsTogether ?? true },
    tracing: own.tracing,
  });

const callerOf = (sessionToken: string | undefined, baseUrl = "a"): UnsignedCaller => ({
  requestId: "r",
  operation: getSession.name,
  baseUrl,
  address: "",
  userAgent: "",
  ...(sessionToken === undefined ? {} : { sessionToken }),
});
const requestOf = (token: string | undefined, baseUrl?: string) => ({
  operation: getSession,
  search: "",
  caller: callerOf(token, baseUrl),
});

type Request = Parameters<ReadSessionTogether>[0];
const readAll = (read: ReadSessionTogether, requests: readonly Request[]) =>
  Promise.all(requests.map(async (request) => read(request)));
const readTokens = (read: ReadSessionTogether, tokens: readonly string[]) =>
  readAll(
    read,
    tokens.map((token) => requestOf(token)),
  );

test("16 concurrent requests share a call, and each gets its own session", async () => {
  const read = create();
  const tokens = Array.from({ length: 16 }, (_, index) => `t${index}`);
  const answered = await readTokens(read, tokens);
  expect(answered.map((one) => one?.body)).toEqual(tokens.map((token) => `"${token} a"`));
  expect(calls).toHaveLength(1);
});

test("answers one token under each base URL, because signed tokens name it", async () => {
  const read = create();
  const asked = [requestOf("t", "a"), requestOf("t", "b"), requestOf("t", "a")];
  const answered = await readAll(read, asked);
  expect(answered.map((one) => one?.body)).toEqual(['"t a"', '"t b"', '"t a"']);
});

/** Attack: a request after a revocation that gets the session of a call from before it. */
test("a request never joins a call that was sent", async () => {
  const read = create();
  const first = readTokens(read, ["t", "u"]);
  while (calls.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
  answer = () => null;
  const second = readTokens(read, ["t", "u"]);
  await first;
  expect(await second).toEqual([undefined, undefined]);
  expect(calls).toHaveLength(2);
});

test("shows the signed token and the user revision", async () => {
  const read = create();
  answer = () => ({ json: "{}", epoch: 7, signedToken: "jwt" });
  const [answered] = await readTokens(read, ["t", "u"]);
  expect(answered).toEqual({
    status: 200,
    headers: { "content-type": "application/json", "set-auth-jwt": "jwt" },
    body: "{}",
    effect: { kind: "cache", epoch: 7 },
  });
});

test("forwards a request that identity leaves out, and no other of the call", async () => {
  const read = create();
  answer = ({ sessionToken }) => (sessionToken === "t" ? null : { json: "{}" });
  const answered = await readTokens(read, ["t", "u"]);
  expect(answered.map((one) => one?.body)).toEqual([undefined, "{}"]);
});

test("rejects all requests of a failed call, and no later ones", async () => {
  const read = create();
  answer = () => {
    throw new WireError("SERVICE_UNAVAILABLE");
  };
  const failed = await Promise.allSettled(["t", "u"].map(async (token) => read(requestOf(token))));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  answer = () => ({ json: "{}" });
  const later = await readTokens(read, ["t", "u"]);
  expect(later.map((one) => one?.body)).toEqual(["{}", "{}"]);
});

test("splits more than 64 requests", async () => {
  const read = create();
  const tokens = Array.from({ length: 130 }, (_, index) => `t${index}`);
  await readTokens(read, tokens);
  expect(calls.map(({ length }) => length)).toEqual([64, 64, 2]);
});

const [one, two] = [requestOf("t"), requestOf("u")];
const searches = { search: "?disableRefresh=true" };
const others = { operation: refreshSession };
test.each<[string, ReadSessionTogether, Request[]]>([
  ["without company", create(), [one]],
  ["without a session token", create(), [requestOf(undefined), requestOf(undefined)]],
  [
    "with a query",
    create(),
    [
      { ...one, ...searches },
      { ...two, ...searches },
    ],
  ],
  [
    "of another operation",
    create(),
    [
      { ...one, ...others },
      { ...two, ...others },
    ],
  ],
  ["that functions of the application see", create({ readsSessionsTogether: false }), [one, two]],
  ["that are traced", create({ tracing: {} as Tracing }), [one, two]], // only its presence counts
])("forwards requests %s", async (_case, read, requests) => {
  expect(await readAll(read, requests)).toEqual(requests.map(() => undefined));
  expect(calls).toEqual([]);
});
