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
