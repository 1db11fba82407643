import { expect, test } from "vitest";
import { readAddress } from "./reset-two-factor.ts";
import { UsageError } from "./usage-error.ts";

test("takes one address", () => {
  expect(readAddress(["ada@example.com"])).toBe("ada@example.com");
});

test.each([[[]], [["ada"]], [["ada@example.com", "bob@example.com"]], [["--email"]]])(
  "refuses the arguments %j",
  (args) => {
    expect(() => readAddress(args)).toThrow(UsageError);
  },
);
