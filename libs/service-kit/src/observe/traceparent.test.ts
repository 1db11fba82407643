import { expect, test } from "vitest";
import { readTraceparent, writeTraceparent } from "./create-tracing.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";

test.each([`00-${trace}-${span}-01`, `00-${trace}-${span}-00`])(
  "writes %s as it was read",
  (text) => {
    const context = readTraceparent(text);
    expect(context && writeTraceparent(context)).toBe(text);
  },
);

test("ignores additions of a later version", () => {
  expect(readTraceparent(`01-${trace}-${span}-01-more`)).toMatchObject({ traceId: trace });
});

test.each([
  "",
  "junk",
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}-01\n`,
  `ff-${trace}-${span}-01`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
])("rejects %j", (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});
