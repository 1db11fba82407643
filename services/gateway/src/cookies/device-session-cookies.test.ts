import cookie from "@fastify/cookie";
import { optionsSchema, type SessionEffect } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { createTestClock } from "@latchkey/testkit";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { createSessionCookies } from "./session-cookies.ts";

const ring = createSecretRing(["a secret that signs, of enough length"]);
const foreign = createSecretRing(["another secret of enough length, too"]);
const clock = createTestClock();
let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(cookie, { hook: false });
});

const jarOf = (options: object = {}) =>
  createSessionCookies(app, {
    config: optionsSchema.parse({
      multiSession: { enabled: true },
      lastLoginMethod: { enabled: true },
      ...options,
    }),
    ring,
    clock: clock.now,
    encodeSessionCache: () => undefined,
  });

const pairOf = (line: string) => line.slice(0, line.indexOf(";"));
const session = (
  token: string,
  maxAgeSeconds: number | null = 600,
  userId = `user of ${token}`,
) => ({
  token,
  userId,
  maxAgeSeconds,
});
const keep = (...changes: { slot: number; session: ReturnType<typeof session> | null }[]) =>
  ({ kind: "keep", keeps: {}, deviceSessions: changes }) satisfies SessionEffect;

const write = (effect: SessionEffect, header = "", options = {}) => {
  const jar = jarOf(options);
  return jar.write(effect, jar.read(header), { header }).cookies;
};
const read = (header: string, options = {}) => {
  const jar = jarOf(options);
  return jar.readDeviceSessions(header, jar.read(header));
};
/** Returns the header of a browser that holds sessions in slots. */
const holding = (...tokens: string[]): string =>
  write(keep(...tokens.map((token, slot) => ({ slot, session: session(token) }))))
    .map(pairOf)
    .join("; ");
const active = (token: string) => `auth.session_token=${signValue(ring, token)}`;

describe("a device session", () => {
  test("is read as it was written, in a cookie as that of the session", () => {
    const [line = ""] = write(keep({ slot: 3, session: session("abc", null, "a user/id") }));
    expect(line).toMatch(/^auth\.account_3=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(read(pairOf(line))).toEqual([
      { slot: 3, token: "abc", userId: "a user/id", browserSession: true },
    ]);
    expect(write(keep({ slot: 3, session: null }))).toEqual([
      "auth.account_3=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ]);
    const [secure = ""] = write(keep({ slot: 0, session: session("abc") }), "", {
      baseURL: "https://auth.example.com",
      advanced: { crossSubDomainCookies: { enabled: true, domain: "example.com" } },
    });
    expect(secure).toMatch(
      /^__Secure-auth\.account_0=[^;]+; Max-Age=600; Domain=example\.com; Path=\/; HttpOnly; Secure;/,
    );
  });

  test("of the active user comes first, with or without a slot", () => {
    expect(read(`${holding("a", "b")}; ${active("b")}`)).toMatchObject([
      { slot: 1, token: "b" },
      { slot: 0, token: "a" },
    ]);
    expect(read(`${holding("a")}; ${active("z")}`)).toMatchObject([{ token: "z" }, { token: "a" }]);
  });

  test("is forgotten when its cookie should be, even if a client keeps it", () => {
    const header = holding("a");
    expect(read(header)).toHaveLength(1);
    clock.advance(600_000);
    expect(read(header)).toEqual([]);
  });

  /** Attack: values of other cookies, of other installations, and invented ones. */
  test.each([
    ["a session token", () => signValue(ring, "abc")],
    ["an admin's session", () => signValue(ring, "abc:true")],
    ["another secret", () => signValue(foreign, "account abc user  9999999999")],
    ["no signature", () => "account abc user  9999999999"],
    ["nothing", () => ""],
  ])("is not read from %s", (_what, valueOf) => {
    expect(read(`auth.account_0=${valueOf()}`)).toEqual([]);
  });

  test("is looked for in each value of a name, and in few of them", () => {
    const header = `auth.account_0=forged; ${holding("a")}`;
    expect(read(header)).toMatchObject([{ token: "a" }]);
    const many = Array.from({ length: 50 }, (_, index) => holding(`t${index}`)).join("; ");
    expect(read(many)).toHaveLength(20);
  });

  test("is none of a bearer token", () => {
    const jar = jarOf();
    const cookies = { ...jar.read("a=b"), token: "abc" };
    expect(jar.readDeviceSessions("a=b", cookies)).toEqual([]);
    expect(jar.readDeviceSessions(undefined, cookies)).toEqual([]);
  });

  test("of better-auth is read, and moved by the next change", () => {
    const name = "auth.session_token_multi-abc";
    const header = `${name}=${signValue(ring, "AbC")}; auth.session_token_multi-a%0d=${signValue(ring, "x")}`;
    expect(read(header)).toEqual([{ token: "AbC", browserSession: false }]);
    expect(write(keep({ slot: 0, session: session("AbC") }), header)).toEqual([
      expect.stringMatching(/^auth\.account_0=/),
      `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
    ]);
  });

  test("follows its extension and its replacement, and no impersonation", () => {
    const header = `${holding("a", "b")}; ${active("b")}`;
    const slotsIn = (cookies: string[]) =>
      cookies.filter((line) => line.startsWith("auth.account_")).map(pairOf);
    const issue = (token: string) => ({ kind: "issue", token, maxAgeSeconds: 900 }) as const;
    expect(read(slotsIn(write(issue("b"), header)).join("; "))).toMatchObject([
      { slot: 1, token: "b" },
    ]);
    expect(read(slotsIn(write(issue("new"), header)).join("; "))).toMatchObject([
      { slot: 1, token: "new", userId: "user of b" },
    ]);
    expect(slotsIn(write({ ...issue("as another"), parks: true }, header))).toEqual([]);
    expect(slotsIn(write(issue("b"), active("b")))).toEqual([]);
  });

  test("is not written while the option is off", () => {
    const header = holding("a");
    const off = { multiSession: { enabled: false } };
    expect(write(keep({ slot: 0, session: session("a") }), header, off)).toEqual([]);
  });
});

describe("the way of the last sign-in", () => {
  const issue = { kind: "issue", token: "t", maxAgeSeconds: 60, signedInBy: "email" } as const;
  const lineOf = (options: object) =>
    write(issue, "", options).find((line) => line.includes("=email"));

  test("is in a cookie for scripts, by the name that clients know", () => {
    expect(lineOf({ baseURL: "https://auth.example.com" })).toBe(
      "better-auth.last_used_login_method=email; Max-Age=2592000; Path=/; Secure; SameSite=Lax",
    );
    const named = { enabled: true, cookieName: "last", maxAge: 60 };
    expect(lineOf({ lastLoginMethod: named })).toBe("last=email; Max-Age=60; Path=/; SameSite=Lax");
  });

  test("is not kept by default", () => {
    expect(lineOf({ lastLoginMethod: {} })).toBeUndefined();
  });
});
