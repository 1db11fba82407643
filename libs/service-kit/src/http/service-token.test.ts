import { expect, test } from "vitest";
import { createServiceTokenReader } from "./service-token.ts";

const read = createServiceTokenReader({ billing: "0123456789abcdef", search: "fedcba9876543210" });

test("identifies a service by its token", () => {
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
])("rejects %j", (authorization) => {
  expect(read(authorization)).toBeUndefined();
});

test("rejects everything without configured tokens", () => {
  expect(createServiceTokenReader({})("Bearer ")).toBeUndefined();
});
