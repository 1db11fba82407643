import { allOperations } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { createOperationMatcher } from "./match-operation.ts";

const match = createOperationMatcher();

describe.each(allOperations)("$name", (operation) => {
  const { exposure, method, path } = operation;
  test("is found by its own method and path, if it is public", () => {
    expect(match(method, path)).toBe(exposure === "public" ? operation : undefined);
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
