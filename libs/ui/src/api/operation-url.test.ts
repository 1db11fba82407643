import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { operationUrl } from "./operation-url.ts";

describe("operationUrl", () => {
  test("puts params into the path and the other members into the query", () => {
    expect(operationUrl("/admin/users/{id}", { id: "u1" }, { limit: 25, q: "a b" })).toBe(
      "/admin/users/u1?limit=25&q=a+b",
    );
  });

  test("omits undefined and empty values", () => {
    expect(operationUrl("/list", {}, { q: "", state: undefined, user: null, all: false })).toBe(
      "/list?all=false",
    );
  });

  test("keeps a hostile id in one path segment", () => {
    expect(operationUrl("/users/{id}/ban", { id: "../x?y#z/%2e" })).toBe(
      "/users/..%2Fx%3Fy%23z%2F%252e/ban",
    );
  });

  test.each([undefined, null, "", ".", "..", "a\0", "\uD800", "x".repeat(256)])(
    "rejects a param that is not allowed in a path: %j",
    (id) => {
      expect(() => operationUrl("/users/{id}", { id })).toThrow(
        new ApiError({ status: 404, body: { message: "Page not found" } }),
      );
    },
  );
});
