import cookie from "@fastify/cookie";
import { optionsSchema, type SessionEffect } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { createSessionCookies } from "./session-cookies.ts";

const ring = createSecretRing(["a secret that signs, of enough length"]);
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
    encodeSessionCache: () => undefined,
  });
const heldOf = (header = "") => jarOf().read(header);
const write = (effect: SessionEffect, options: object = {}) =>
  jarOf(options).write(effect, heldOf());
const begun = (state: string) => ({ kind: "state", state, maxAgeSeconds: 600 }) as const;
const cleared = "auth.state=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";

describe("the state of a sign-in at a provider", () => {
  test("is stored signed, for its lifetime, and changes no session", () => {
    const heldCookies = heldOf(
      `auth.session_token=${signValue(ring, "token")}; auth.session_data=old`,
    );
    expect(jarOf().write(begun("a-state"), heldCookies)).toEqual({
      cookies: [
        `auth.state=${signValue(ring, "a-state")}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
      ],
      signedToken: undefined,
    });
  });

  test("can be deleted on its own", () => {
    const forgotten = { kind: "state", state: null, maxAgeSeconds: 0 } as const;
    expect(write(forgotten)).toEqual({ cookies: [cleared], signedToken: undefined });
  });

  test("is deleted by a session that ends it, after that session's cookies, and by no other", () => {
    const issue = { kind: "issue", token: "token", maxAgeSeconds: null } as const;
    const lines = write({ ...issue, endsState: true }).cookies;
    expect([lines.length, lines.at(-1)]).toEqual([3, cleared]);
    expect(write(issue).cookies).toHaveLength(2);
  });

  test.each([
    ["a prefix", { advanced: { cookiePrefix: "shop" } }, /^shop\.state=.*; SameSite=Lax$/],
    ["https", { baseURL: "https://id.example.com" }, /^__Secure-auth\.state=.*; Secure; /],
    [
      "its own name and attributes",
      { advanced: { cookies: { state: { name: "flow", attributes: { path: "/api" } } } } },
      /^flow=.*; Path=\/api; HttpOnly; SameSite=Lax$/,
    ],
    // A browser sends no strict cookie when a provider redirects it here.
    [
      "strict cookies",
      { advanced: { defaultCookieAttributes: { sameSite: "strict" } } },
      /; SameSite=Lax$/,
    ],
  ])("has the configured name and attributes: %s", (_case, options, line) => {
    expect(write(begun("s"), options).cookies[0]).toMatch(line);
  });

  test("is refused if it is too large for a browser to store", () => {
    const refusedLengths: number[] = [];
    for (let length = 4_000; length < 4_096; length++) {
      const state = "s".repeat(length);
      const isKept = "auth.state".length + signValue(ring, state).length <= 4_096;
      if (isKept) expect(write(begun(state)).cookies).toHaveLength(1);
      else {
        expect(() => write(begun(state))).toThrow("Unable to create verification");
        refusedLengths.push(length);
      }
    }
    expect(refusedLengths).toContain(4_095);
    expect(refusedLengths).not.toContain(4_000);
  });
});

describe("of a Cookie header", () => {
  const sealed = `${"a".repeat(32)}.${"b-_".repeat(1_000)}`;
  const good = signValue(ring, sealed);

  test.each([
    ["as it was set", `auth.state=${good}`],
    ["in quotes", `auth.state="${good}"`],
    ["among others", `a=b; auth.state=${good}; auth.session_token=x`],
    ["percent-decoded", `auth.state=${decodeURIComponent(good)}`],
  ])("the state is read %s", (_case, header) => {
    expect(jarOf().readStates(header)).toEqual([sealed]);
  });

  test.each([
    ["nothing", undefined],
    ["no such cookie", "auth.states=x"],
    ["an unsigned one", `auth.state=${sealed}`],
    ["a changed one", `auth.state=x${good}`],
    [
      "one signed under another secret",
      `auth.state=${signValue(createSecretRing(["another secret"]), sealed)}`,
    ],
    ["an empty one", "auth.state="],
  ])("reads no state from %s", (_case, header) => {
    expect(jarOf().readStates(header)).toEqual([]);
  });
});
