import { expect, test } from "vitest";
import {
  columnTypes,
  initialOf,
  jsonReader,
  namesOf,
  nullable,
  picker,
  qualified,
  withInitial,
  withoutColumns,
  writtenOnce,
} from "./columns.ts";

const { boolean, json, text, time } = columnTypes;

const taskColumns = {
  id: writtenOnce(text),
  dueAt: nullable(time),
  isDone: withInitial(boolean, false),
  tags: withInitial(json<string[]>(), []),
};

test("selects the columns in the order of their declaration", () => {
  expect(namesOf(taskColumns)).toEqual(["id", "dueAt", "isDone", "tags"]);
  expect(qualified("task", namesOf(withoutColumns(taskColumns, "isDone", "tags")))).toEqual([
    "task.id",
    "task.dueAt",
  ]);
});

test("gives nullable columns and columns with an initial value their value", () => {
  expect(initialOf(taskColumns)).toEqual({ dueAt: null, isDone: false, tags: [] });
});

test("copies the picked members only", () => {
  const row = { id: "n", dueAt: null, isDone: true, tags: ["a"] };
  expect(picker<{ id: string; isDone: boolean }>(["id", "isDone"])(row)).toStrictEqual({
    id: "n",
    isDone: true,
  });
  const joined = { noteId: "n", id: "other" };
  expect(picker<{ id: string }>(["id"], () => "noteId")(joined)).toStrictEqual({ id: "n" });
});

test.each([
  ["milliseconds", 0],
  ["text", "1970-01-01T00:00:00+00:00"],
])("reads a time in JSON that is %s", (_, dueAt) => {
  const read = jsonReader(taskColumns);
  expect(read({ id: "n", dueAt, isDone: true, tags: ["a"] })).toStrictEqual({
    id: "n",
    dueAt: new Date(0),
    isDone: true,
    tags: ["a"],
  });
});

test("reads JSON that is older than a column", () => {
  expect(jsonReader(taskColumns)({ id: "n" })).toStrictEqual({
    id: "n",
    dueAt: null,
    isDone: false,
    tags: [],
  });
});
