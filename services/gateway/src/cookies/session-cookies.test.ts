import cookie from "@fastify/cookie";
import { optionsSchema, type SessionEffect } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import type { SessionCookies } from "./read-session-cookies.ts";
import { createSessionCookies } from "./session-cookies.ts";

const older = createSecretRing(["an older secret of enough length"]);
const ring = createSecretRing([
  "a secret that signs, of enough length",
  "an older secret of enough length",
]);
let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(cookie, { hook: false });
});

const jarOf = (options: object = {}) =>
  createSessionCookies(app, {
    config: optionsSchema.parse(options),
    ring,
    clock: () => 0,
    encodeSessionCache: (cached) => cached && `cache-${cached.epoch}`,
  });
const issue = (maxAgeSeconds: number | null) =>
  ({ kind: "issue", token: "token", maxAgeSeconds }) as const;
const holdsNothing: SessionCookies = {
  token: undefined,
  browserSession: false,
  parkedSession: undefined,
  holdsParked: false,
  holdsTwoFactor: false,
  cache: undefined,
};
const holdsMarker = { ...holdsNothing, browserSession: true };

describe("writing", () => {
  test("a remembered session sets one cookie, for its lifetime", () => {
    const signedToken = signValue(ring, "token");
    expect(jarOf().write(issue(60), holdsNothing)).toEqual({
      cookies: [`auth.session_token=${signedToken}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`],
      signedToken,
    });
  });

  test("writes a lifetime of one second", () => {
    expect(jarOf().write(issue(0), holdsNothing).cookies[0]).toContain("; Max-Age=0;");
  });

  test("a session of the browser sets the marker and no lifetime", () => {
    const { cookies } = jarOf().write(issue(null), holdsNothing);
    expect(cookies).toEqual([
      `auth.session_token=${signValue(ring, "token")}; Path=/; HttpOnly; SameSite=Lax`,
      `auth.dont_remember=${signValue(ring, "true")}; Path=/; HttpOnly; SameSite=Lax`,
    ]);
  });

  test("a remembered session removes the marker from a browser that holds it, and only from that", () => {
    expect(jarOf().write(issue(60), holdsMarker).cookies[1]).toMatch(
      /^auth\.dont_remember=; Max-Age=0;/,
    );
    expect(jarOf().write(issue(60), holdsNothing).cookies).toHaveLength(1);
  });

  test("clearing empties all three cookies with the attributes that they were set with", () => {
    const options = {
      baseURL: "https://id.example.com",
      advanced: {
        crossSubDomainCookies: { enabled: true, domain: "example.com" },
        defaultCookieAttributes: { path: "/auth" },
      },
    };
    const { cookies, signedToken } = jarOf(options).write({ kind: "clear" }, holdsMarker);
    expect(signedToken).toBeUndefined();
    expect(cookies).toEqual(
      ["session_token", "session_data", "dont_remember"]
        .map(
          (name) =>
            `__Secure-auth.${name}=; Max-Age=0; Domain=example.com; Path=/auth; HttpOnly; Secure; SameSite=Lax`,
        )
        .flatMap((line) => [line, line.replace(" Domain=example.com;", "")]),
    );
  });

  test("clearing removes a parked session only from a browser that holds one", () => {
    const { cookies } = jarOf().write({ kind: "clear" }, { ...holdsNothing, holdsParked: true });
    expect(cookies).toHaveLength(4);
    expect(cookies[3]).toBe("auth.admin_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
  });
});

describe("several cookies of one name", () => {
  const [first, second] = [signValue(ring, "first"), signValue(ring, "second")];
  const foreign = signValue(createSecretRing(["the secret of another installation"]), "third");
  const repeated = (...values: string[]) =>
    values.map((value) => `__Secure-auth.session_token=${value}`).join("; ");
  const host = { baseURL: "https://id.example.com/api/auth" };
  const wide = {
    ...host,
    advanced: { crossSubDomainCookies: { enabled: true, domain: "example.com" } },
  };
  const clear = { kind: "clear" } as const;
  /** Returns Domain and Path of each header that deletes the session cookie. */
  const clearedForms = (cookies: readonly string[]) =>
    cookies
      .filter((line) => line.startsWith("__Secure-auth.session_token=; Max-Age=0;"))
      .map((line) => [/Domain=([^;]*)/.exec(line)?.[1] ?? "host", /Path=([^;]*)/.exec(line)?.[1]]);
  const everyForm = ["/", "/api/auth"].flatMap((path) =>
    ["host", "example.com", "id.example.com"].map((domain) => [domain, path]),
  );

  test.each([
    ["valid ones", [first, second], "first", ["second"]],
    ["a forged one first", ["forged", second], "second", undefined],
    ["one of another installation first", [foreign, second], "second", undefined],
    ["the same one twice", [first, first], "first", undefined],
  ])("are read in the order sent: %s", (_case, values, token, tokens) => {
    const cookies = jarOf(host).read(repeated(...values));
    expect([cookies.token, cookies.others?.tokens]).toEqual([token, tokens]);
  });

  test("a cookie cache and a parked session are read likewise", () => {
    const parked = ["forged", signValue(ring, "a:"), signValue(ring, "b:true")];
    const header = [
      ...parked.map((value) => `auth.admin_session=${value}`),
      "auth.session_data=one",
      "auth.session_data=two",
    ].join("; ");
    expect(jarOf().read(header)).toEqual({
      ...holdsNothing,
      parkedSession: { token: "a", browserSession: false },
      holdsParked: true,
      cache: "one",
      others: {
        tokens: [],
        parkedSessions: [{ token: "b", browserSession: true }],
        caches: [{ cache: "two" }],
      },
    });
  });

  test.each([
    ["host-only", host],
    ["of a domain", wide],
  ])("are all cleared where cookies are %s", (_case, options) => {
    const jar = jarOf(options);
    const header = repeated(first, second);
    const { cookies } = jar.write(clear, jar.read(header), { header });
    expect(clearedForms(cookies).toSorted()).toEqual(everyForm.toSorted());
  });

  test("leave those of another installation in the same domain", () => {
    const jar = jarOf(host);
    const header = repeated(first, foreign);
    const { cookies } = jar.write(clear, jar.read(header), { header });
    expect(clearedForms(cookies)).toEqual([["host", "/"]]);
  });

  test.each([
    ["host-only", host, ["id.example.com", "example.com"]],
    ["of a domain", wide, ["host", "id.example.com"]],
  ])("do not arise from a new session where cookies are %s", (_case, options, domains) => {
    const jar = jarOf(options);
    const header = repeated(first);
    const { cookies } = jar.write(issue(60), jar.read(header), { header });
    expect(clearedForms(cookies)).toEqual(domains.map((domain) => [domain, "/"]));
    expect(cookies.at(-1)).toContain(`=${signValue(ring, "token")}; Max-Age=60;`);
  });

  test.each([
    [{ cookies: { session_token: { name: "__Host-sid" } } }, "__Host-sid"],
    [{ cookiePrefix: "__Host-auth" }, "__Host-auth.session_token"],
  ])("cannot arise from the prefix __Host-: %j", (advanced, name) => {
    const jar = jarOf({ baseURL: "https://id.example.com", advanced });
    const header = `${name}=${first}`;
    const { cookies } = jar.write(issue(60), jar.read(header), { header });
    expect(cookies).toEqual([
      `${name}=${signValue(ring, "token")}; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ]);
  });

  test("are not cleared by the renewal of the only session", () => {
    const jar = jarOf(wide);
    const header = repeated(signValue(ring, "token"));
    expect(jar.write(issue(60), jar.read(header), { header }).cookies).toHaveLength(1);
  });
});

describe("the session cookie cache", () => {
  const cached = { session: {}, user: {}, epoch: 7 };
  const cacheOf = (cookies: string[]) => cookies.filter((line) => line.includes(".session_data="));
  const holdsCache = { ...holdsNothing, cache: "an older one" };
  const cleared = "auth.session_data=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
  const cacheCookie = "auth.session_data=cache-7; Max-Age=90; Path=/; HttpOnly; SameSite=Lax";
  const jar = () => jarOf({ session: { cookieCache: { maxAge: 90 } } });

  test.each([60, null])("is set with a session that is issued for %s seconds", (maxAgeSeconds) => {
    const { cookies } = jar().write({ ...issue(maxAgeSeconds), cached }, holdsNothing);
    expect([cookies[0], cacheOf(cookies)]).toEqual([
      expect.stringContaining("auth.session_token="),
      [cacheCookie],
    ]);
  });

  test("is renewed on its own", () => {
    const effect = { kind: "cache", epoch: 7 } as const;
    const { cookies, signedToken } = jar().write(effect, holdsCache, { json: "{}" });
    expect([cookies, signedToken]).toEqual([[cacheCookie], undefined]);
  });

  test("is removed from a browser that receives a session without one, and only then", () => {
    expect(cacheOf(jar().write(issue(60), holdsCache).cookies)).toEqual([cleared]);
    expect(cacheOf(jar().write(issue(60), holdsNothing).cookies)).toEqual([]);
  });

  test("can be removed on its own", () => {
    expect(jar().clearCache()).toEqual([cleared]);
  });
});

describe("a parked session", () => {
  const cookieOf = (cookies: string[], name: string) =>
    cookies.find((line) => line.startsWith(`auth.${name}=`));
  const admin = { ...holdsNothing, token: "admin" };
  const parks = { ...issue(null), parks: true };
  const unparks = { ...issue(60), unparks: true };

  test.each([
    [false, "admin:"],
    [true, "admin:true"],
  ])(
    "keeps the previous session, with its marker (%s), for the lifetime of sessions",
    (marked, value) => {
      const { cookies } = jarOf({ session: { expiresIn: 90 } }).write(parks, {
        ...admin,
        browserSession: marked,
      });
      expect(cookies).toEqual([
        `auth.admin_session=${signValue(ring, value)}; Max-Age=90; Path=/; HttpOnly; SameSite=Lax`,
        `auth.session_token=${signValue(ring, "token")}; Path=/; HttpOnly; SameSite=Lax`,
        `auth.dont_remember=${signValue(ring, "true")}; Path=/; HttpOnly; SameSite=Lax`,
      ]);
    },
  );

  test.each(["admin", "ad:min"])("of the token %j is read as it was written", (token) => {
    for (const browserSession of [true, false]) {
      const { cookies } = jarOf().write(parks, { ...admin, token, browserSession });
      const [pair] = (cookieOf(cookies, "admin_session") ?? "").split("; ");
      expect(jarOf().read(pair).parkedSession).toEqual({ token, browserSession });
    }
  });

  test("is deleted when it is restored, as is a marker that is not its own", () => {
    const heldCookies = { ...holdsMarker, token: "other", holdsParked: true };
    expect(jarOf().write(unparks, heldCookies).cookies).toEqual([
      `auth.session_token=${signValue(ring, "token")}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`,
      "auth.dont_remember=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
      "auth.admin_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ]);
    const { cookies } = jarOf().write({ ...unparks, maxAgeSeconds: null }, heldCookies);
    expect(cookieOf(cookies, "dont_remember")).toContain(signValue(ring, "true"));
  });

  test("stays while the held session is issued again, and is removed with another one", () => {
    const heldCookies = { ...holdsMarker, token: "token", holdsParked: true };
    const cleared = "auth.admin_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
    expect(
      cookieOf(jarOf().write(issue(60), heldCookies).cookies, "admin_session"),
    ).toBeUndefined();
    const other = { ...heldCookies, token: "other" };
    expect(cookieOf(jarOf().write(issue(60), other).cookies, "admin_session")).toBe(cleared);
  });

  test("that a request uses is changed in its own cookie alone", () => {
    const heldCookies: SessionCookies = { ...admin, impersonation: holdsMarker, holdsParked: true };
    const jar = jarOf({ session: { expiresIn: 90 } });
    const attributes = "Path=/; HttpOnly; SameSite=Lax";
    for (const [maxAgeSeconds, value] of [
      [60, "token:"],
      [null, "token:true"],
    ] as const)
      expect(jar.write(issue(maxAgeSeconds), heldCookies)).toEqual({
        cookies: [`auth.admin_session=${signValue(ring, value)}; Max-Age=90; ${attributes}`],
      });
    expect(jar.write({ kind: "clear" }, heldCookies).cookies).toEqual([
      `auth.admin_session=; Max-Age=0; ${attributes}`,
    ]);
    expect(jar.write({ kind: "cache", epoch: 7 }, heldCookies, { json: "{}" }).cookies).toEqual([]);
    const waits = { kind: "clear", keeps: { twoFactor: { value: "a", maxAgeSeconds: 60 } } };
    const { cookies } = jar.write(waits as SessionEffect, heldCookies);
    expect(cookies.map((line) => line.split("=")[0])).toEqual(["auth.two_factor"]);
  });

  test("gives way to a session of another user, with the cookies of the impersonation", () => {
    const impersonation = { ...holdsMarker, token: "other", holdsParked: true, cache: "of it" };
    const heldCookies: SessionCookies = { ...admin, impersonation, holdsParked: true };
    expect(jarOf().write(unparks, heldCookies).cookies).toEqual([
      `auth.session_token=${signValue(ring, "token")}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`,
      ...["dont_remember", "session_data", "admin_session"].map(
        (name) => `auth.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
      ),
    ]);
  });

  test("has the configured name and attributes", () => {
    const own = { name: "boss", attributes: { sameSite: "strict" } };
    const { cookies } = jarOf({
      advanced: { useSecureCookies: true, cookies: { admin_session: own } },
    }).write(parks, admin);
    expect(cookies[0]).toMatch(/^__Secure-boss=.*; Secure; SameSite=Strict$/);
  });
});

describe("reading", () => {
  const token = signValue(ring, "token");
  test.each([
    ["no header", undefined, {}],
    ["an empty header", "", {}],
    ["a signed token", `auth.session_token=${token}`, { token: "token" }],
    [
      "a token that an older secret signed",
      `auth.session_token=${signValue(older, "token")}`,
      { token: "token" },
    ],
    ["an unsigned token", "auth.session_token=token", {}],
    ["a name that ends alike", `x.auth.session_token=${token}`, {}],
    ["a name in another case", `AUTH.session_token=${token}`, {}],
    ["a name that objects have", "__proto__=x; constructor=y", {}],
    [
      "the marker",
      `auth.session_token=${token}; auth.dont_remember=${signValue(ring, "true")}`,
      { token: "token", browserSession: true },
    ],
    ["a marker of another word", `auth.dont_remember=${signValue(ring, "false")}`, {}],
    ["a token in place of the marker", `auth.dont_remember=${token}`, {}],
    [
      "a parked session",
      `auth.admin_session=${signValue(ring, "admin:true")}`,
      { parkedSession: { token: "admin", browserSession: true }, holdsParked: true },
    ],
    [
      "a parked session without its marker",
      `auth.admin_session=${signValue(ring, "admin:")}`,
      { parkedSession: { token: "admin", browserSession: false }, holdsParked: true },
    ],
    ["an invalid parked session", `auth.admin_session=${token}`, { holdsParked: true }],
    [
      "a parked session with an empty token",
      `auth.admin_session=${signValue(ring, ":true")}`,
      { holdsParked: true },
    ],
    ["an unsigned parked session", "auth.admin_session=admin:true", { holdsParked: true }],
    ["a cache", "auth.session_data=abc", { cache: "abc" }],
    ["a cookie cache in quotes", 'auth.session_data="abc"', { cache: "abc" }],
    ["one quote", 'auth.session_token="', {}],
  ])("%s", (_case, header, expected) => {
    expect(jarOf().read(header)).toEqual({ ...holdsNothing, ...expected });
  });

  test("remembers no other header than the one that it read", () => {
    const jar = jarOf();
    const withCache = (signed: string) => `auth.session_token=${signed}; auth.session_data=abc`;
    const tampered = token.replace(/^token/, "other");
    const heldCookies = { ...holdsNothing, token: "token", cache: "abc" };
    for (const _ of ["first", "again"]) {
      expect(jar.read(withCache(token))).toEqual(heldCookies);
      expect(jar.read(withCache(tampered))).toEqual({ ...heldCookies, token: undefined });
      expect(jar.read(`${withCache(token)}d`)).toEqual({ ...heldCookies, cache: "abcd" });
    }
  });

  test("reads what it wrote, whatever the token contains", () => {
    const jar = jarOf({ advanced: { cookies: { session_token: { name: "sid" } } } });
    const odd = 'a.b;c "ü=';
    const { cookies } = jar.write({ kind: "issue", token: odd, maxAgeSeconds: null }, holdsNothing);
    const header = cookies.map((line) => line.split("; ")[0]).join("; ");
    expect(jar.read(header)).toEqual({ ...holdsNothing, token: odd, browserSession: true });
  });
});
