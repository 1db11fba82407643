import { expect, test } from "vitest";
import { findMissingLine } from "./shown-output.ts";

const written = `{"id":"gjEXzKoAZhCmQzbgYhgHyjzJAHL7Vt9d","name":"Ada","count":3,"at":"2026-11-21T07:06:18.440Z"}
null
Created ada@example.com, id gjEXzKoAZhCmQzbgYhgHyjzJAHL7Vt9d.
`;

test.each([
  ["the same with other ids, times and numbers", '{"id":"...","name":"Ada","count":1,...}\nnull'],
  ["the end alone", "Created ada@example.com, id 7Vt9dgjEXzKoAZhCmQzbgYhgHyjzJAHL."],
  ["lines of another terminal", '... "captured mail"\nnull'],
])("accepts %s", (_what, shown) => {
  expect(findMissingLine(shown, written)).toBeUndefined();
});

test.each([
  ["another value", '{"id":"...","name":"Bob",...}'],
  ["a member that is missing", '{"id":"...","mail":...}'],
  ["a surplus member", '{"id":"...","name":"Ada"}'],
  ["another order of lines", 'null\n{"id":"...",...}'],
  ["other words", "Made ada@example.com"],
])("rejects %s", (_what, shown) => {
  expect(findMissingLine(shown, written)).toBe(shown.split("\n").at(-1));
});
