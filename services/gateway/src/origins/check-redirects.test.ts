import { type Operation, operation, stepUps, WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileTrustedOrigins } from "./trusted-origin.ts";
import { checkRedirects } from "./check-redirects.ts";

const isTrusted = compileTrustedOrigins(["https://app.example.com"]);
const evil = "https://evil.com";
const shared = {
  name: "test",
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  path: "/test",
  summary: "For this test.",
  reply: z.null(),
  errors: [],
  stepUp: stepUps.noSession,
  access: "anyone",
} as const;
const post = operation({
  ...shared,
  method: "POST",
  redirects: ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"],
});
const get = operation({
  ...shared,
  method: "GET",
  query: z.object({ token: z.string(), callbackURL: z.string().max(40).optional() }),
  redirects: ["callbackURL"],
});

/** Returns the name of the error, or "passed". */
const outcome = (declared: Operation, sent: { query?: object; body?: unknown }): string => {
  try {
    checkRedirects(declared, { query: {}, body: undefined, ...sent }, isTrusted);
    return "passed";
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
};

describe("a body", () => {
  test.each<[string, unknown, string]>([
    ["of nothing", undefined, "passed"],
    ["of null", null, "passed"],
    ["of text", evil, "passed"],
    ["with a safe path", { callbackURL: "/x" }, "passed"],
    ["with a trusted origin", { callbackURL: "https://app.example.com/x" }, "passed"],
    ["with an empty value", { callbackURL: "", redirectTo: "" }, "passed"],
    ["with a foreign value elsewhere", { image: evil }, "passed"],
    ["with a foreign callbackURL", { callbackURL: evil }, "INVALID_CALLBACKURL"],
    ["with a foreign redirectTo", { redirectTo: evil }, "INVALID_REDIRECTURL"],
    ["with a foreign errorCallbackURL", { errorCallbackURL: evil }, "INVALID_ERRORCALLBACKURL"],
    [
      "with a foreign newUserCallbackURL",
      { newUserCallbackURL: evil },
      "INVALID_NEWUSERCALLBACKURL",
    ],
    ["with two foreign values", { redirectTo: evil, callbackURL: evil }, "INVALID_CALLBACKURL"],
    ["with a list", { callbackURL: [evil] }, "VALIDATION_ERROR"],
    ["with null", { callbackURL: null }, "VALIDATION_ERROR"],
  ])("%s", (_case, body, expected) => {
    expect(outcome(post, { body })).toBe(expected);
  });
});

describe("the query of a POST", () => {
  test.each<[string, object, unknown, string]>([
    ["is checked if the body has no such field", { callbackURL: evil }, {}, "INVALID_CALLBACKURL"],
    ["is checked if there is no body", { callbackURL: evil }, undefined, "INVALID_CALLBACKURL"],
    [
      "is ignored if the body has the field",
      { callbackURL: evil },
      { callbackURL: "/x" },
      "passed",
    ],
  ])("%s", (_case, query, body, expected) => {
    expect(outcome(post, { query, body })).toBe(expected);
  });
});

describe("the query of a GET", () => {
  test.each<[string, object, string]>([
    ["that is empty", {}, "passed"],
    ["with a safe path", { token: "x", callbackURL: "/x" }, "passed"],
    ["with an empty value", { token: "x", callbackURL: "" }, "passed"],
    ["with a foreign value", { token: "x", callbackURL: evil }, "INVALID_CALLBACKURL"],
    ["that its schema rejects, which is reported first", { callbackURL: evil }, "passed"],
    [
      "with two values, which its schema rejects",
      { token: "x", callbackURL: ["/", evil] },
      "passed",
    ],
  ])("%s", (_case, query, expected) => {
    expect(outcome(get, { query })).toBe(expected);
  });
});

test("a field that is not text is refused with the issues of the whole body", () => {
  const declared = operation({
    ...shared,
    method: "POST",
    body: z.object({ email: z.string(), callbackURL: z.string().optional() }),
    redirects: ["callbackURL"],
  });
  const issuesFor = (body: object, query: object = {}) => {
    try {
      checkRedirects(declared, { query, body }, isTrusted);
    } catch (error) {
      return (error as WireError).issues?.map(({ path }) => path);
    }
    return undefined;
  };
  expect(issuesFor({ email: "a", callbackURL: 1 })).toEqual(["callbackURL"]);
  expect(issuesFor({ callbackURL: null })).toEqual(["email", "callbackURL"]);
  expect(issuesFor({ email: "a" }, { callbackURL: ["/", evil] })).toEqual(["callbackURL"]);
});

test("an operation without redirect fields is not checked", () => {
  const plain = operation({ ...shared, method: "POST" });
  expect(outcome(plain, { body: { callbackURL: evil }, query: { callbackURL: evil } })).toBe(
    "passed",
  );
});
