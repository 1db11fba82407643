import { operations, optionsSchema } from "@latchkey/contracts";
import { createTestClock } from "@latchkey/testkit";
import type { FastifyRequest } from "fastify";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionCache } from "../cookies/read-session-cache.ts";
import { createUserRevisions, type UserRevisions } from "../user-revisions/user-revisions.ts";
import { readCachedAnswer } from "./cached-answer.ts";
import type { Inbound } from "../http/read-inbound.ts";

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
  answersFromCookie?: boolean;
  required?: { everyone?: boolean; roles?: string[] };
  /** The cookie caches of the request, and what each is read as. */
  sent?: string[];
  values?: Record<string, SessionCache | undefined>;
}

const readAnswer = (asked: Asked = {}) => {
  const { operation = getSession, query = {}, answersFromCookie = true } = asked;
  const { sent = ["value"], values = { value: cache } } = asked;
  const caches = sent.map((name) => ({ cache: name }));
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
      sessionCacheReader: { read: ({ cache: name = "" }) => values[name] },
      config: {
        ...optionsSchema.parse({}),
        answersFromCookie,
        secondFactorRequired: asked.required && { everyone: false, roles: [], ...asked.required },
      } as never,
    },
    { operation, inbound: { search, request: { query } as FastifyRequest } as Inbound },
    {
      ...cookies,
      token: "token",
      cache: sent[0],
      others: { tokens: [], parkedSessions: [], caches: caches.slice(1) },
      ...("token" in asked ? { token: asked.token } : {}),
    },
  );
};

/** The operator has begun to require a second factor, and browsers hold caches from before. */
test.each([
  [{ everyone: true }, { role: "user" }, false],
  [{ everyone: true }, { role: "user", twoFactorEnabled: true }, true],
  [{ roles: ["admin"] }, { role: "user" }, true],
  [{ roles: ["admin"] }, { role: "user,admin" }, false],
  [{}, { role: "user" }, true],
])("with %j required, the cache of %j answers: %s", (required, user, answers) => {
  const own = JSON.stringify({ session: {}, user });
  const ownCache = cache && { ...cache, json: own };
  expect(readAnswer({ required, values: { value: ownCache } }).json).toBe(
    answers ? own : undefined,
  );
});

describe("the cookie cache answers", () => {
  test("a get-session with its own token", () => {
    expect(readAnswer()).toEqual(answered);
  });

  test.each([
    [{ disableRefresh: "true" }],
    [{ disableCookieCache: "false" }],
    [{ disableCookieCache: "" }],
    [{ unknown: ["a", "b"] }],
  ])("with the query %j", (query) => {
    expect(readAnswer({ query })).toEqual(answered);
  });

  test("in the last millisecond of its user revision", () => {
    revisions.note("u", 7);
    expect(readAnswer()).toEqual(answered);
  });
});

test("each cookie cache is tried, if a browser sent several", () => {
  const own = { ...cache, token: "token", json } as SessionCache;
  const values = { own, other: { ...own, token: "other" }, forged: undefined };
  expect(readAnswer({ values, sent: ["forged", "other", "own"] })).toEqual(answered);
  expect(readAnswer({ values, sent: ["forged", "other"] })).toEqual(nothing);
  expect(readAnswer({ values, sent: ["forged", "forged"] })).toEqual({
    json: undefined,
    isBad: true,
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
    expect(readAnswer(asked)).toEqual(nothing);
  });

  test("once its session has expired", () => {
    clock.advance(999);
    expect(readAnswer()).toEqual(answered);
    clock.advance(1);
    expect(readAnswer()).toEqual(nothing);
  });

  test("once its user has a newer revision", () => {
    revisions.note("u", 8);
    expect(readAnswer()).toEqual(nothing);
  });

  test("if it has no user revision", () => {
    if (cache) cache.epoch = undefined;
    expect(readAnswer()).toEqual(nothing);
  });

  test("while revocations are not reported", () => {
    if (cache) cache.sessionExpiresAt += 10_000;
    clock.advance(2_501);
    expect(readAnswer()).toEqual(nothing);
  });
});

test("only a cookie cache that can never be trusted is bad", () => {
  cache = undefined;
  expect(readAnswer()).toEqual({ json: undefined, isBad: true });
  expect(readAnswer({ operation: listSessions })).toEqual(nothing);
});
