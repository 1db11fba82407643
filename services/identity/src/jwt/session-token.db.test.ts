import type { Caller } from "@latchkey/contracts";
import {
  createTestClock,
  expectNoLeaks,
  type TestClock,
  type TestDatabase,
  newCaller,
} from "@latchkey/testkit";
import { decodeJwt } from "jose";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Tables } from "../db/tables.ts";
import type { LiveSession } from "../sessions/session-rules.ts";
import { getToken, sessionToken } from "./session-token.ts";
import { handoverMilliseconds } from "./signing-key-rules.ts";
import {
  connect,
  createKeyDatabase,
  createReplica,
  type Replica,
  type ReplicaOptions,
} from "./signing-keys.fixture.ts";

expectNoLeaks("file");

let database: TestDatabase;
let db: Kysely<Tables>;
let clock: TestClock;
beforeAll(async () => {
  database = await createKeyDatabase();
  db = connect(database.url);
});
beforeEach(async () => {
  clock = createTestClock();
  await db.deleteFrom("signingKey").execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const caller = newCaller("getSession");
const at = new Date("2029-12-31T00:00:00.000Z");
const newSession = (session: object = {}, user: object = {}, epoch = 1): LiveSession => ({
  epoch,
  remembered: true,
  authentication: { authenticatedAt: at, secondFactorAt: null, methods: "password" },
  session: {
    id: "s1",
    token: "the token of the session",
    userId: "u1",
    expiresAt: at,
    createdAt: at,
    updatedAt: at,
    ipAddress: "",
    userAgent: "",
    ...session,
  },
  user: {
    id: "u1",
    name: "Ada",
    email: "ada@example.com",
    emailVerified: false,
    image: null,
    createdAt: at,
    updatedAt: at,
    ...user,
  },
});
const replica = (jwt: ReplicaOptions["jwt"] = {}, own: Partial<ReplicaOptions> = {}) =>
  createReplica({ db, clock, jwt, ...own });
const tokenOf = (one: Replica, subject = newSession(), by = caller) =>
  sessionToken(one, subject, by);

test("returns the same token for a minute, then a new one", async () => {
  const one = replica();
  const token = await tokenOf(one);
  clock.advance(59_999);
  expect(await tokenOf(one)).toBe(token);
  clock.advance(1);
  const next = await tokenOf(one);
  expect(next).not.toBe(token);
  expect(decodeJwt(next ?? "").iat).toBe(clock.now() / 1000);
});

test("returns the same short-lived token for a tenth of its lifetime only", async () => {
  const one = replica({ jwt: { expirationTime: "1m" } });
  const token = await tokenOf(one);
  clock.advance(5_999);
  expect(await tokenOf(one)).toBe(token);
  clock.advance(1);
  expect(await tokenOf(one)).not.toBe(token);
});

test("never returns a token again that expires at once", async () => {
  const one = replica({ jwt: { expirationTime: 1 } });
  await tokenOf(one);
  clock.advance(1_000);
  expect(decodeJwt((await tokenOf(one)) ?? "").iat).toBe(clock.now() / 1000);
});

test.each<[string, LiveSession, Caller]>([
  ["user changed", newSession({}, { name: "Ada Lovelace" }, 2), caller],
  ["user lost a role", newSession({}, { role: "user" }, 2), caller],
  ["session was extended", newSession({ updatedAt: new Date(at.getTime() + 1) }), caller],
  [
    "base URL is another",
    newSession(),
    { ...caller, baseUrl: "https://auth.example.com/api/auth" },
  ],
])("returns a new token as soon as the %s", async (_, subject, by) => {
  const one = replica();
  await tokenOf(one, newSession({}, { role: "admin" }));
  const before = await tokenOf(one);
  clock.advance(1_000);
  const token = (await tokenOf(one, subject, by)) ?? "";
  expect(token).not.toBe(before);
  const { iat, iss, name, role } = decodeJwt(token);
  const { origin } = new URL(by.baseUrl);
  const { user } = subject;
  expect({ iat, iss, name, role }).toEqual({
    iat: clock.now() / 1000,
    iss: origin,
    name: user.name,
    role: user.role,
  });
});

test("returns a new token as soon as another key signs", async () => {
  const one = replica();
  await one.signingKeys.ensure();
  clock.advance(60_000);
  await one.signingKeys.rotate();
  clock.advance(handoverMilliseconds - 1);
  const before = await tokenOf(one);
  clock.advance(1);
  expect(await tokenOf(one)).not.toBe(before);
});

/** Attack: receiving the token of another user. */
test("returns no session the token of another", async () => {
  const one = replica();
  const token = await tokenOf(one);
  const other = await tokenOf(one, newSession({ id: "s2", userId: "u2" }, { id: "u2" }));
  expect([decodeJwt(token ?? "").sub, decodeJwt(other ?? "").sub]).toEqual(["u1", "u2"]);
});

test.each([
  ["definePayload", { definePayload: () => ({ call: (calls += 1) }) }],
  ["getSubject", { getSubject: () => `call ${(calls += 1)}` }],
])("calls %s each time", async (_, jwt) => {
  calls = 0;
  const one = replica({ jwt });
  await tokenOf(one);
  await tokenOf(one);
  expect(calls).toBe(2);
});
let calls = 0;

test("fails the request if a function of the options throws", async () => {
  const definePayload = () => {
    throw new Error("no");
  };
  await expect(tokenOf(replica({ jwt: { definePayload } }))).rejects.toThrow("no");
});

test("returns no token and creates no key if the feature is off", async () => {
  expect(await tokenOf(replica({ enabled: false }))).toBeUndefined();
  expect(await db.selectFrom("signingKey").selectAll().execute()).toEqual([]);
});

test("returns a session without a token, and fails /token, if no key can be opened", async () => {
  await replica().signingKeys.ensure();
  const one = replica({}, { secrets: ["a new secret, without the old one"] });
  expect(await tokenOf(one)).toBeUndefined();
  await expect(getToken(one, callOf(newSession()))).rejects.toThrow(
    /^no signing key can be opened$/,
  );
});

test("omits a token that is too long for a header, but returns it from the token operation", async () => {
  const one = replica();
  const image = `data:image/png;base64,${"A".repeat(8_192)}`;
  expect(await tokenOf(one, newSession({}, { image }))).toBeUndefined();
  const answer = await getToken(one, callOf(newSession({}, { image })));
  expect("reply" in answer && decodeJwt(answer.reply.token)["image"]).toBe(image);
});

test("returns a new token from the token operation each time", async () => {
  const one = replica();
  const requestToken = async () => {
    const answer = await getToken(one, callOf(newSession()));
    return "reply" in answer ? answer.reply.token : "";
  };
  const first = await requestToken();
  clock.advance(1_000);
  expect(decodeJwt(await requestToken()).iat).toBe((decodeJwt(first).iat ?? 0) + 1);
});

const callOf = (session: LiveSession) => ({
  caller,
  session,
  params: undefined,
  query: undefined,
  body: undefined,
});
