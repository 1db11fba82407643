import { expect, test, vi } from "vitest";
import { WireError } from "./wire-error.ts";

test("an error of another copy of the module is a WireError", async () => {
  vi.resetModules();
  const copy = await import("./wire-error.ts");
  expect(copy.WireError).not.toBe(WireError);
  const error: unknown = new copy.WireError("FORBIDDEN");
  expect(error instanceof WireError && error.body()).toEqual({
    code: "FORBIDDEN",
    message: "Forbidden",
  });
});

test.each([undefined, null, "WireError", new Error("Forbidden"), { name: "WireError" }])(
  "%j is no WireError",
  (value) => {
    expect(value instanceof WireError).toBe(false);
  },
);

test.each([
  ["SESSION_IS_NOT_FRESH", {}, "SESSION_IS_NOT_FRESH", "SESSION_NOT_FRESH"],
  ["FIELD_IS_REQUIRED", { message: "team is required" }, "TEAM_IS_REQUIRED", "MISSING_FIELD"],
  ["MISSING_CAPTCHA_RESPONSE", {}, undefined, "MISSING_RESPONSE"],
  ["INVALID_PASSWORD", {}, "INVALID_PASSWORD", "INVALID_PASSWORD"],
  ["TOO_MANY_REQUESTS", {}, undefined, undefined],
] as const)("the body of %s %j has the code of the client's SDK", (code, detail, old, current) => {
  const error = new WireError(code, detail);
  expect([error.body().code, error.body("1.2").code, error.body("1.7").code]).toEqual([
    old,
    old,
    current,
  ]);
});
