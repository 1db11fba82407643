import { describe, expect, test } from "vitest";
import type { ConfigurationError } from "./configuration-error.ts";
import { readPasskeySettings } from "./passkey-settings.ts";
import { readSettings } from "./settings.ts";

const database = { databaseUrl: "postgres://localhost/any" };
const settingsOf = (tree: object, environment: Record<string, string> = {}) =>
  readPasskeySettings(readSettings({ ...database, ...tree }, environment));
const problemsOf = (tree: object, environment: Record<string, string> = {}) => {
  try {
    settingsOf(tree, environment);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

const production = {
  NODE_ENV: "production",
  AUTH_SECRET: "a secret of its own for production",
  SMTP_URL: "smtp://localhost",
  TRUSTED_HOSTS: "id.example.com",
};

describe("the relying party", () => {
  test.each<[string, object, object]>([
    [
      "is the base URL's host and origin",
      { baseURL: "https://id.example.com/api/auth" },
      { id: "id.example.com", origins: ["https://id.example.com"] },
    ],
    [
      "can be a parent domain",
      { baseURL: "https://id.example.com", passkey: { rpID: "example.com" } },
      { id: "example.com", origins: ["https://id.example.com"] },
    ],
    [
      "includes exact, safe trusted origins and applications on its domain",
      {
        baseURL: "https://id.example.com",
        passkey: { rpID: "example.com" },
        appURL: "https://example.com/app",
        trustedOrigins: [
          "https://app.example.com",
          "https://*.example.com",
          "http://plain.example.com",
          "https://example.org",
          "https://notexample.com",
          "myapp://",
        ],
      },
      {
        id: "example.com",
        origins: ["https://id.example.com", "https://app.example.com", "https://example.com"],
      },
    ],
    [
      "has the named origins alone",
      {
        baseURL: "https://id.example.com",
        trustedOrigins: ["https://app.id.example.com"],
        passkey: { origin: ["https://id.example.com", "android:apk-key-hash:abc"] },
      },
      { id: "id.example.com", origins: ["https://id.example.com", "android:apk-key-hash:abc"] },
    ],
    [
      "is localhost and the configured port without a base URL outside production",
      { trustedOrigins: ["http://localhost:5173"] },
      { id: "localhost", origins: ["http://localhost:3000", "http://localhost:5173"] },
    ],
    [
      "has the application's name, unless another is set",
      { appName: "Shop", passkey: { rpName: "Shop accounts" } },
      { name: "Shop accounts" },
    ],
  ])("%s", (_what, tree, expected) => {
    expect(settingsOf(tree).relyingParty).toMatchObject(expected);
  });

  test("comes from rpID and origin in production without a base URL", () => {
    const passkey = { rpID: "example.com", origin: "https://id.example.com" };
    expect(settingsOf({ passkey }, production).relyingParty).toMatchObject({
      id: "example.com",
      origins: ["https://id.example.com"],
    });
  });
});

test.each<[string, object, Record<string, string>, RegExp]>([
  ["an IPv4 base URL", { baseURL: "https://192.0.2.1" }, {}, /IP address/],
  ["an IPv6 base URL", { baseURL: "https://[2001:db8::1]:3000" }, {}, /IP address/],
  ["production without a base URL", {}, production, /no baseURL/],
])("turns passkeys off and says why: %s", (_case, tree, environment, reason) => {
  const { relyingParty, offBecause } = settingsOf(tree, environment);
  expect(relyingParty).toBeUndefined();
  expect(offBecause).toMatch(reason);
});

test("says nothing of passkeys that the options turn off", () => {
  expect(settingsOf({ passkey: { enabled: false } })).toEqual({
    relyingParty: undefined,
    offBecause: undefined,
  });
});

/** Attack: passkeys of a domain above the installation's would work for foreign hosts. */
test.each([
  ["another domain", "example.org"],
  ["a domain below", "sub.id.example.com"],
  ["a similar end", "ample.com"],
  ["a top-level domain", "com"],
  ["an IP address", "192.0.2.1"],
  ["upper case", "Example.com"],
  ["a URL", "https://example.com"],
  ["a port", "id.example.com:443"],
])("refuses to start with an rpID that is %s", (_case, rpID) => {
  const problems = problemsOf({ baseURL: "https://id.example.com", passkey: { rpID } });
  expect(problems).toEqual([expect.stringMatching(/^passkey.rpID: must /)]);
});

test.each([
  "https://id.example.com/",
  "https://id.example.com/login",
  "http://id.example.com",
  "*.example.com",
  "id.example.com",
])("refuses to start with the origin %s", (origin) => {
  expect(problemsOf({ baseURL: "https://id.example.com", passkey: { origin } })).toEqual([
    expect.stringMatching(/^passkey.origin: must be origins/),
  ]);
});

test("needs origins beside rpID in production without a base URL", () => {
  expect(problemsOf({ passkey: { rpID: "example.com" } }, production)).toEqual([
    expect.stringMatching(/^passkey.origin: is required/),
  ]);
});
