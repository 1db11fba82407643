import { operations, optionsSchema } from "@latchkey/contracts";
import { createTestClock } from "@latchkey/testkit";
import type { FastifyRequest } from "fastify";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionCache } from "../cookies/read-session-cache.ts";
import { createUserRevisions, type UserRevisions } from "../user-revisions/user-revisions.ts";
import { readCachedAnswer } from "./cached-answer.ts";
import type { Inbound } from "./read-inbound.ts";

const { getSession, listSessions } = operations.identity;
const json = '{"session":{},"user":{}}';
const nothing = { json: undefined, isBad: false };
const answered = { json, isBad: false };

let clock: ReturnType<typeof createTestClock>;
let revisions: UserRevisions;
let cache: SessionCache | undefined;
beforeEach(() => {
  clock = createTestClock();
  revisions = createUserRevisions({ clock: clock.now, cachedSeconds: 300 });
  revisions.recordKnownUntil(clock.now());
  cache = {
    token: "token",
    userId: "u",
    epoch: 7,
    expiresAt: clock.now() + 1_000,
    sessionExpiresAt: clock.now() + 1_000,
    json,
  };
});

interface Asked {
  operation?: typeof getSession | typeof listSessions;
  query?: Record<string, string | string[]>;
  token?: string | undefined;
  value?: string | undefined;
  answersFromCookie?: boolean;
}

const ask = (asked: Asked = {}) => {
  const { operation = getSession, query = {}, answersFromCookie = true } = asked;
  const cookies = {
    browserSession: false,
    parkedSession: undefined,
    holdsParked: false,
    holdsTwoFactor: false,
  };
  const search = Object.keys(query).length > 0 ? "?some" : "";
  return readCachedAnswer(
    {
      clock: clock.now,
      countSessionCache: () => {},
      revisions,
      sessionCacheReader: { read: () => cache },
      config: { ...optionsSchema.parse({}), answersFromCookie } as never,
    },
    { operation, inbound: { search, request: { query } as FastifyRequest } as Inbound },
    {
      ...cookies,
      token: "token",
      cache: "value",
      ...("token" in asked ? { token: asked.token } : {}),
    },
  );
};

describe("the cookie cache answers", () => {
  test("a get-session with its own token", () => {
    expect(ask()).toEqual(answered);
  });

  test.each([
    [{ disableRefresh: "true" }],
    [{ disableCookieCache: "false" }],
    [{ disableCookieCache: "" }],
    [{ unknown: ["a", "b"] }],
  ])("with the query %j", (query) => {
    expect(ask({ query })).toEqual(answered);
  });

  test("in the last millisecond of its user revision", () => {
    revisions.note("u", 7);
    expect(ask()).toEqual(answered);
  });
});

describe("the cookie cache does not answer", () => {
  test.each<[string, Asked]>([
    ["another operation", { operation: listSessions }],
    ["a request that disables it", { query: { disableCookieCache: "true" } }],
    ["a query that identity refuses", { query: { disableCookieCache: ["true", "true"] } }],
    ["a request without a token in a cookie", { token: undefined }],
    ["a request with the token of another session", { token: "other" }],
    ["anything while it is off in the options", { answersFromCookie: false }],
  ])("%s", (_case, asked) => {
    expect(ask(asked)).toEqual(nothing);
  });

  test("once its session has expired", () => {
    clock.advance(999);
    expect(ask()).toEqual(answered);
    clock.advance(1);
    expect(ask()).toEqual(nothing);
  });

  test("once its user has a newer revision", () => {
    revisions.note("u", 8);
    expect(ask()).toEqual(nothing);
  });

  test("if it has no user revision", () => {
    if (cache) cache.epoch = undefined;
    expect(ask()).toEqual(nothing);
  });

  test("while revocations are not reported", () => {
    if (cache) cache.sessionExpiresAt += 10_000;
    clock.advance(2_501);
    expect(ask()).toEqual(nothing);
  });
});

test("only a cookie cache that can never be trusted is bad", () => {
  cache = undefined;
  expect(ask()).toEqual({ json: undefined, isBad: true });
  expect(ask({ operation: listSessions })).toEqual(nothing);
});
