import { userEpochHeader } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { epochHeaders } from "./epoch-headers.ts";

test("adds no header if no session ended", () => {
  expect(epochHeaders([])).toEqual({});
});

test("encodes custom ids safely in a header", () => {
  const epochs = [
    { userId: "a,b:c", epoch: 2 },
    { userId: "ü", epoch: Number.MAX_SAFE_INTEGER },
  ];
  expect(epochHeaders(epochs)).toEqual({
    [userEpochHeader]: "a%2Cb%3Ac:2,%C3%BC:9007199254740991",
  });
});

test("limits the header's length for any number of users", () => {
  const epochs = Array.from({ length: 1_000 }, (_, index) => ({
    userId: `${index}`.padStart(32, "u"),
    epoch: index,
  }));
  const header = epochHeaders(epochs)[userEpochHeader] ?? "";
  expect(header.length).toBeLessThanOrEqual(8_192);
  expect(header.split(",").length).toBeGreaterThan(200);
});
