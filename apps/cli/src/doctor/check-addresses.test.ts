import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { describe, expect, test } from "vitest";
import { checkTokenPages, explainOrigin } from "./examine.ts";
import type { Examined } from "./read-examined.ts";

test.each([
  "https://app.example.com",
  "https://app.example.com:8443",
  "https://*.example.com",
  "https://*.example.com/**",
  "*.example.com",
  "app.example.com",
  "myapp://",
  "exp://192.0.2.1:8081",
  "http://localhost:5173",
  "http://127.0.0.1",
])("%s is as a trusted origin should be", (pattern) => {
  expect(explainOrigin(pattern, true)).toBeUndefined();
});

test.each([
  ["*", "every origin"],
  ["https://app.example.com/", "an origin has no path, as https://app.example.com"],
  ["https://app.example.com/sign-in", "an origin has no path"],
  ["https://APP.example.com", "an origin has no path, as https://app.example.com"],
  ["https://", "matches no origin"],
  ["https://*.example.com/sign-in", "has a path"],
  ["http://app.example.com", "is not https"],
])("%s is odd: %s", (pattern, reason) => {
  expect(explainOrigin(pattern, true)).toContain(reason);
});

test("accepts http outside production", () => {
  expect(explainOrigin("http://app.example.com", false)).toBeUndefined();
});

describe("the pages that receive one-time tokens", () => {
  const page = "https://app.other.example/signed-in";
  const find = (config: LatchkeyConfig, production = true) => {
    const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...config }, {});
    const leftOut = new Set<string>();
    return checkTokenPages({ settings, production, leftOut } as unknown as Examined); // it reads no more
  };
  const listed = (one = page) => ({ oneTimeToken: { callbackURLs: [one] } });

  test.each<[string, LatchkeyConfig]>([
    ["nothing is listed", {}],
    ["they are off", { oneTimeToken: { enabled: false, callbackURLs: [page] } }],
  ])("are not mentioned if %s", (_, config) => {
    expect(find(config)).toEqual([]);
  });

  test.each<[string, LatchkeyConfig]>([
    ["its origin", { trustedOrigins: ["https://app.other.example"] }],
    ["a pattern", { trustedOrigins: ["*.other.example"] }],
    ["an application", { appURL: "https://app.other.example/home" }],
    ["a function, which is not known here", { trustedOrigins: () => [] }],
  ])("are good if trusted by %s", (_, config) => {
    expect(find({ ...config, ...listed() })).toMatchObject([{ status: "ok", detail: page }]);
  });

  test("cause a warning on an untrusted origin", () => {
    expect(find({ ...listed(), trustedOrigins: ["https://other.example"] })).toMatchObject([
      { status: "warn", detail: expect.stringContaining("no trusted origin") },
    ]);
  });

  test("cause a warning in production without https", () => {
    const plain = "http://app.other.example/signed-in";
    const config = { trustedOrigins: ["http://app.other.example"], ...listed(plain) };
    expect(find(config)).toMatchObject([
      { status: "warn", detail: expect.stringContaining("travel in clear") },
    ]);
    expect(find(config, false)).toMatchObject([{ status: "ok" }]);
    const local = "http://localhost:4000/signed-in";
    expect(find({ trustedOrigins: ["http://localhost:4000"], ...listed(local) })).toMatchObject([
      { status: "ok" },
    ]);
  });
});
