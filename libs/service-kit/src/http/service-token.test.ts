import { expect, test } from "vitest";
import { createServiceTokenReader } from "./service-token.ts";

const read = createServiceTokenReader({ billing: "0123456789abcdef", search: "fedcba9876543210" });

test("a service is known by its token", () => {
  expect(read("Bearer 0123456789abcdef")).toBe("billing");
  expect(read("Bearer fedcba9876543210")).toBe("search");
});

test.each([
  undefined,
  "",
  "Bearer",
  "Bearer ",
  "Bearer 0123456789abcdeF",
  "Basic 0123456789abcdef",
])("%j names no service", (authorization) => {
  expect(read(authorization)).toBeUndefined();
});

test("without tokens nobody is known", () => {
  expect(createServiceTokenReader({})("Bearer ")).toBeUndefined();
});
