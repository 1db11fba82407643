import { WireError } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { readDayRange } from "./read-day-range.ts";

const clock = () => Date.parse("2030-03-15T23:30:00.000Z");

test.each([
  [{}, { from: "2030-02-14", to: "2030-03-15" }],
  [{ from: "2030-03-10" }, { from: "2030-03-10", to: "2030-03-15" }],
  [{ to: "2030-01-31" }, { from: "2030-01-02", to: "2030-01-31" }],
  [
    { from: "2030-01-01", to: "2030-01-01" },
    { from: "2030-01-01", to: "2030-01-01" },
  ],
  [
    { from: "2029-12-06", to: "2030-03-15" },
    { from: "2029-12-06", to: "2030-03-15" },
  ],
])("%j requests %j", (query, range) => {
  expect(readDayRange({ clock }, query, 100)).toEqual(range);
});

test.each([
  [{ from: "2030-03-16" }, "from"],
  [{ from: "2030-02-02", to: "2030-02-01" }, "from"],
  [{ from: "2029-12-05", to: "2030-03-15" }, "from"],
  [{ from: "1969-12-31", to: "1970-01-01" }, "from"],
  [{ to: "0001-01-01" }, "to"],
])("rejects %j because of %s", (query, path) => {
  const read = () => readDayRange({ clock }, query, 100);
  expect(read).toThrow(WireError);
  expect(read).toThrow(
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      issues: [expect.objectContaining({ path })],
    }),
  );
});
