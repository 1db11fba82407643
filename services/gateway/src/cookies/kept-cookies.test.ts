import cookie from "@fastify/cookie";
import { keptCookies, keptNames, optionsSchema } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { noCookies } from "./read-session-cookies.ts";
import { createSessionCookies } from "./session-cookies.ts";

const ring = createSecretRing(["a secret that signs, of enough length"]);
const app = Fastify();
await app.register(cookie, { hook: false });
const jarOf = (options: object = {}) =>
  createSessionCookies(app, {
    config: optionsSchema.parse(options),
    ring,
    clock: () => 0,
    encodeSessionCache: () => undefined,
  });
const jar = jarOf();

const keptValue = (value: string) => ({ value, maxAgeSeconds: 60 });
const sent = (...cookies: string[]) => cookies.map((line) => line.split(";", 1)[0]).join("; ");
const fromCookies = { fromHeader: false };

test.each(keptNames)("%s is read as it was set", (name) => {
  const { cookies } = jar.write({ kind: "keep", keeps: { [name]: keptValue("abc") } }, noCookies);
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatch(
    new RegExp(`^auth\\.${keptCookies[name]}=.*; Max-Age=60; Path=/; HttpOnly; SameSite=Lax$`),
  );
  const read = jar.readKept(keptNames, { cookie: sent(...cookies) }, fromCookies);
  expect(read).toEqual({ [name]: "abc" });
});

test("a value that an operation does not name is not read", () => {
  const { cookies } = jar.write(
    { kind: "keep", keeps: { magicLink: keptValue("abc") } },
    noCookies,
  );
  expect(jar.readKept(["emailOtp"], { cookie: sent(...cookies) }, fromCookies)).toEqual({});
});

/** Attack: a value of one cookie is sent in another, where it would name something else. */
test("a value signed for one cookie is not accepted in another", () => {
  const { cookies } = jar.write(
    { kind: "keep", keeps: { magicLink: keptValue("abc") } },
    noCookies,
  );
  const moved = sent(...cookies).replace("magic_link", "two_factor");
  expect(jar.readKept(keptNames, { cookie: moved }, fromCookies)).toEqual({});
});

test.each([
  ["an unsigned value", "twoFactor:abc"],
  ["a signed value without its name", signValue(ring, "abc")],
  ["a session token", signValue(ring, "token")],
  ["an empty value", ""],
])("%s counts as absent", (_what, value) => {
  const headers = { cookie: `auth.two_factor=${value}` };
  expect(jar.readKept(["twoFactor"], headers, fromCookies)).toEqual({});
});

test("null deletes a value", () => {
  const { cookies } = jar.write({ kind: "keep", keeps: { trustedDevice: null } }, noCookies);
  expect(cookies).toEqual(["auth.trust_device=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
});

const issue = { kind: "issue", token: "token", maxAgeSeconds: 60 } as const;

test.each([issue, { kind: "clear" } as const])(
  "an effect of kind $kind deletes the sign-in that waits for its second factor, and only that",
  (effect) => {
    const deleted = "auth.two_factor=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";
    expect(jar.write(effect, { ...noCookies, holdsTwoFactor: true }).cookies).toContain(deleted);
    expect(jar.write(effect, noCookies).cookies).not.toContain(deleted);
  },
);

test("a sign-in that needs a second factor clears the session and keeps the sign-in, also for a header", () => {
  const effect = { kind: "clear", keeps: { twoFactor: keptValue("abc") } } as const;
  const written = jar.write(effect, { ...noCookies, holdsTwoFactor: true });
  expect(written.cookies.map((line) => line.split("=", 1)[0])).toEqual([
    "auth.session_token",
    "auth.session_data",
    "auth.dont_remember",
    "auth.two_factor",
  ]);
  expect(written.signedToken).toBeUndefined();
  const headers = { "x-two-factor": written.signedTwoFactor };
  expect(jar.readKept(["twoFactor"], headers, { fromHeader: true })).toEqual({ twoFactor: "abc" });
  expect(jar.readKept(["twoFactor"], headers, fromCookies)).toEqual({});
});

test("only the second factor can be sent in the header", () => {
  const { signedTwoFactor } = jar.write(
    { kind: "keep", keeps: { twoFactor: keptValue("abc") } },
    noCookies,
  );
  const headers = { "x-two-factor": signedTwoFactor };
  expect(jar.readKept(["trustedDevice"], headers, { fromHeader: true })).toEqual({});
});

test("the cookies that a mail or a provider's page must find return even where cookies are strict", () => {
  const strict = jarOf({ advanced: { defaultCookieAttributes: { sameSite: "strict" } } });
  const cookieOf = (name: "knownBrowser" | "magicLink" | "twoFactor") =>
    strict.write({ kind: "keep", keeps: { [name]: keptValue("abc") } }, noCookies).cookies[0];
  expect(cookieOf("magicLink")).toContain("SameSite=Lax");
  expect(cookieOf("knownBrowser")).toContain("SameSite=Lax");
  expect(cookieOf("twoFactor")).toContain("SameSite=Strict");
});
