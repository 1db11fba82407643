import { allOperations } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { createOperationMatcher } from "./match-operation.ts";

const everything = {
  username: true,
  admin: true,
  jwt: true,
  openApi: true,
  organization: true,
  organizationAdmin: true,
  teams: true,
  teamsAdmin: true,
  apiKey: true,
  apiKeyAdmin: true,
  twoFactor: true,
  twoFactorAdmin: true,
  organizationTwoFactor: true,
  webhooks: true,
  organizationWebhooks: true,
  passkey: true,
  passkeyAdmin: true,
  magicLink: true,
  emailOTP: true,
  oneTimeToken: true,
};
const features = Object.keys(everything) as (keyof typeof everything)[];
const match = createOperationMatcher(everything);

describe.each(allOperations)("$name", (operation) => {
  const { exposure, method, path } = operation;
  test("is found by its own method and path if it is public", () => {
    expect(match(method, path) === operation).toBe(exposure === "public");
  });

  test.each(["HEAD", "OPTIONS", "PUT", "get", ""])("is not found by %s", (other) => {
    expect(match(other, path)).toBeUndefined();
  });
});

test.each(["/nope", "", "/", "ok", "/ok/", "/OK", "__proto__", "constructor"])(
  "%j is nothing",
  (path) => {
    expect(match("GET", path)).toBeUndefined();
  },
);

test.each(features)("operations of %s are not found while it is off", (feature) => {
  const matchRest = createOperationMatcher({ ...everything, [feature]: false });
  const found = allOperations
    .filter(({ exposure }) => exposure === "public")
    .filter(({ method, path }) => matchRest(method, path));
  expect(found.some((operation) => operation.feature === feature)).toBe(false);
  expect(found.length).toBeGreaterThan(0);
});

test("a segment of a pattern matches any non-empty text, but never two segments", () => {
  expect(match("GET", "/reset-password/abc")?.name).toBe("openPasswordReset");
  expect(match("GET", "/reset-password/")).toBeUndefined();
  expect(match("GET", "/reset-password/a/b")).toBeUndefined();
  expect(match("POST", "/reset-password/abc")).toBeUndefined();
});
