import { userRevisionHeader } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { revisionHeaders } from "./revision-headers.ts";

test("adds no header if no session ended", () => {
  expect(revisionHeaders([])).toEqual({});
});

test("encodes custom ids safely in a header", () => {
  const epochs = [
    { userId: "a,b:c", epoch: 2 },
    { userId: "ü", epoch: Number.MAX_SAFE_INTEGER },
  ];
  expect(revisionHeaders(epochs)).toEqual({
    [userRevisionHeader]: "a%2Cb%3Ac:2,%C3%BC:9007199254740991",
  });
});

test("limits the header's length for any number of users", () => {
  const epochs = Array.from({ length: 1_000 }, (_, index) => ({
    userId: `${index}`.padStart(32, "u"),
    epoch: index,
  }));
  const header = revisionHeaders(epochs)[userRevisionHeader] ?? "";
  expect(header.length).toBeLessThanOrEqual(8_192);
  expect(header.split(",").length).toBeGreaterThan(200);
});
