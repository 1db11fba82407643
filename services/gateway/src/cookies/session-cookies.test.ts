import cookie from "@fastify/cookie";
import { optionsSchema } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
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
  createSessionCookies(app, optionsSchema.parse(options), ring);
const issue = (maxAgeSeconds: number | null) =>
  ({ kind: "issue", token: "token", maxAgeSeconds }) as const;

describe("writing", () => {
  test("a remembered session sets one cookie, for its lifetime", () => {
    const signedToken = signValue(ring, "token");
    expect(jarOf().write(issue(60), false)).toEqual({
      cookies: [`auth.session_token=${signedToken}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`],
      signedToken,
    });
  });

  test("an expiring second is written, not taken for no lifetime", () => {
    expect(jarOf().write(issue(0), false).cookies[0]).toContain("; Max-Age=0;");
  });

  test("a session of the browser sets no lifetime, and the marker", () => {
    const { cookies } = jarOf().write(issue(null), false);
    expect(cookies).toEqual([
      `auth.session_token=${signValue(ring, "token")}; Path=/; HttpOnly; SameSite=Lax`,
      `auth.dont_remember=${signValue(ring, "true")}; Path=/; HttpOnly; SameSite=Lax`,
    ]);
  });

  test("a remembered session takes the marker from a browser that holds it, and only from that", () => {
    expect(jarOf().write(issue(60), true).cookies[1]).toMatch(/^auth\.dont_remember=; Max-Age=0;/);
    expect(jarOf().write(issue(60), false).cookies).toHaveLength(1);
  });

  test("clearing empties all three with the attributes that they were set with", () => {
    const options = {
      baseURL: "https://id.example.com",
      advanced: {
        crossSubDomainCookies: { enabled: true, domain: "example.com" },
        defaultCookieAttributes: { path: "/auth" },
      },
    };
    const { cookies, signedToken } = jarOf(options).write({ kind: "clear" }, true);
    expect(signedToken).toBeUndefined();
    expect(cookies).toEqual(
      ["session_token", "session_data", "dont_remember"].map(
        (name) =>
          `__Secure-auth.${name}=; Max-Age=0; Domain=example.com; Path=/auth; HttpOnly; Secure; SameSite=Lax`,
      ),
    );
  });
});

describe("reading", () => {
  const token = signValue(ring, "token");
  test.each([
    ["no header", undefined, { token: undefined, browserSession: false }],
    ["an empty header", "", { token: undefined, browserSession: false }],
    ["a signed token", `auth.session_token=${token}`, { token: "token", browserSession: false }],
    [
      "a token that an older secret signed",
      `auth.session_token=${signValue(older, "token")}`,
      { token: "token", browserSession: false },
    ],
    ["an unsigned token", "auth.session_token=token", { token: undefined, browserSession: false }],
    [
      "a name that ends alike",
      `x.auth.session_token=${token}`,
      { token: undefined, browserSession: false },
    ],
    [
      "a name in another case",
      `AUTH.session_token=${token}`,
      { token: undefined, browserSession: false },
    ],
    [
      "a name that objects have",
      "__proto__=x; constructor=y",
      { token: undefined, browserSession: false },
    ],
    [
      "the marker",
      `auth.session_token=${token}; auth.dont_remember=${signValue(ring, "true")}`,
      { token: "token", browserSession: true },
    ],
    [
      "a marker of another word",
      `auth.dont_remember=${signValue(ring, "false")}`,
      { token: undefined, browserSession: false },
    ],
    [
      "a token in place of the marker",
      `auth.dont_remember=${token}`,
      { token: undefined, browserSession: false },
    ],
    ["one quote", 'auth.session_token="', { token: undefined, browserSession: false }],
  ])("%s", (_case, header, expected) => {
    expect(jarOf().read(header)).toEqual(expected);
  });

  test("what it wrote it reads, whatever the token holds", () => {
    const jar = jarOf({ advanced: { cookies: { session_token: { name: "sid" } } } });
    const odd = 'a.b;c "ü=';
    const { cookies } = jar.write({ kind: "issue", token: odd, maxAgeSeconds: null }, false);
    const header = cookies.map((line) => line.split("; ")[0]).join("; ");
    expect(jar.read(header)).toEqual({ token: odd, browserSession: true });
  });
});
