import { expect, test } from "vitest";
import { columnTypes, nullable, withInitial } from "../database/columns.ts";
import { readGiven, readTime } from "./read-given.ts";

const { boolean, text, time } = columnTypes;
const columns = {
  id: text,
  name: text,
  note: nullable(text),
  isDone: withInitial(boolean, false),
  doneAt: nullable(time),
};
const nothing = { id: "a", name: null, note: null, isDone: null, doneAt: null };

test("gives missing values their initial value, or null", () => {
  expect(readGiven(columns, nothing)).toEqual({ ...nothing, isDone: false });
});

test("cuts long text without half a letter", () => {
  expect(readGiven(columns, { ...nothing, name: "ab\u{1F600}", note: "abc" }, 3)).toMatchObject({
    name: "ab\uFFFD",
    note: "abc",
  });
});

test.each([
  [0, new Date(0)],
  [null, null],
  [Date.parse("0000-12-31T23:59:59Z"), null],
  [Date.parse("+010000-01-01T00:00:00Z"), null],
])("reads the time %s", (milliseconds, expected) => {
  expect(readTime(milliseconds)).toEqual(expected);
});
