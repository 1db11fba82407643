import {
  type Caller,
  type KeySecondFactor,
  type Operation,
  operations,
  optionsSchema,
  WireError,
} from "@latchkey/contracts";
import type { ServiceClient } from "@latchkey/service-kit/http";
import { createTestClock } from "@latchkey/testkit";
import type { FastifyRequest } from "fastify";
import { beforeEach, describe, expect, test } from "vitest";
import { openKeySession } from "./open-key-session.ts";

const { openKeySession: open } = operations.apikey;
const { findKeyOwner } = operations.identity;
const clock = createTestClock();
const caller = {
  requestId: "the request",
  operation: "listOrganizations",
  baseUrl: "http://localhost/api/auth",
  address: "192.0.2.1",
  userAgent: "A client/1.0",
};
const user = { id: "u", name: "Ada", email: "ada@example.com", nickname: "A." };

let calls: unknown[];
let opened: {
  id: string;
  userId: string;
  expiresAt: string | null;
  secondFactor?: KeySecondFactor;
};
let owner: { user: object; isBanned: boolean; needsSecondFactor?: boolean } | null;
beforeEach(() => {
  calls = [];
  opened = { id: "k", userId: "u", expiresAt: null };
  owner = { user, isBanned: false };
});

/** Creates a service that answers one operation. */
const answering = (answered: Operation, answer: () => unknown): ServiceClient => ({
  call: async (operation, request, options) => {
    calls.push([operation.name, request, options]);
    if (operation.name !== answered.name) throw new TypeError(`asked for ${operation.name}`);
    return answer() as never;
  },
  close: async () => {},
});

const openWith = (apikey: () => unknown = () => opened) =>
  openKeySession(
    {
      apikey: answering(open, apikey),
      identity: answering(findKeyOwner, () => owner),
      clock: clock.now,
      config: optionsSchema.parse({ session: { expiresIn: 60 } }) as never,
    },
    {
      key: "the key",
      caller,
      inbound: { path: "/organization/list", request: { method: "GET" } as FastifyRequest },
    },
  );

/** Returns the session and user that a key stands for. */
const resolvedWith = async () => JSON.parse((await openWith()).resolved) as Caller["resolved"];

const isoAfter = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();

test("a key stands for a new session of its owner", async () => {
  expect(await openWith()).toMatchObject({ apiKeyId: "k" });
  expect(await resolvedWith()).toEqual({
    user,
    session: {
      id: "k",
      token: "the key",
      userId: "u",
      expiresAt: isoAfter(60),
      createdAt: isoAfter(0),
      updatedAt: isoAfter(0),
      ipAddress: "192.0.2.1",
      userAgent: "A client/1.0",
    },
  });
});

test("uses the key once, then requests its owner, both for this request", async () => {
  await openWith();
  const options = { requestId: "the request" };
  expect(calls).toEqual([
    [
      "openKeySession",
      { body: { key: "the key", method: "GET", path: "/organization/list" } },
      options,
    ],
    ["findKeyOwner", { body: { userId: "u" } }, options],
  ]);
});

test("the session of an expiring key expires with it", async () => {
  opened.expiresAt = isoAfter(7);
  expect(await resolvedWith()).toMatchObject({ session: { expiresAt: isoAfter(7) } });
});

test("a refusal of the apikey service is the response, and no owner is requested", async () => {
  const details = { tryAgainIn: 1_500 };
  const refusal = new WireError("RATE_LIMITED", { details, retryAfterSeconds: 2 });
  const refuse = () => {
    throw refusal;
  };
  await expect(openWith(refuse)).rejects.toBe(refusal);
  expect(calls).toHaveLength(1);
});

test("a deleted or banned owner has no session, whatever the apikey service knows", async () => {
  owner = null;
  await expect(openWith()).rejects.toMatchObject({ code: "INVALID_USER_ID_FROM_API_KEY" });
  owner = { user, isBanned: true };
  await expect(openWith()).rejects.toMatchObject({ code: "USER_BANNED", status: 401 });
});

describe("a key whose creator had shown", () => {
  const outcomeOf = async (
    secondFactor: KeySecondFactor,
    own: object,
    needsSecondFactor: boolean,
  ) => {
    opened.secondFactor = secondFactor;
    owner = { user: { ...user, ...own }, isBanned: false, needsSecondFactor };
    return openWith().then(
      ({ apiKeyHasSecondFactor }) => apiKeyHasSecondFactor,
      (error: unknown) => (error instanceof WireError ? error.code : error),
    );
  };
  const refused = "TWO_FACTOR_REQUIRED";

  test.each<[KeySecondFactor, unknown[]]>([
    ["none", [false, refused, refused, refused]],
    ["exempt", [false, false, false, false]],
    ["code", [false, true, refused, true]],
    ["lasting", [true, true, true, true]],
    [null, [false, false, refused, refused]],
  ])("%s", async (secondFactor, outcomes) => {
    const on = { twoFactorEnabled: true };
    expect([
      await outcomeOf(secondFactor, {}, false),
      await outcomeOf(secondFactor, on, false),
      await outcomeOf(secondFactor, {}, true),
      await outcomeOf(secondFactor, on, true),
    ]).toEqual(outcomes);
  });
});

/** It would not fit in a header, and a valid key must not fail because of it. */
test("an owner that is too large is sent without the additional fields", async () => {
  owner = { user: { ...user, nickname: "\u20ac".repeat(22_000) }, isBanned: false };
  const resolved = await resolvedWith();
  expect(resolved?.user).toEqual({ id: "u", name: "Ada", email: "ada@example.com" });
  expect(resolved?.session).toMatchObject({ token: "the key" });
});
