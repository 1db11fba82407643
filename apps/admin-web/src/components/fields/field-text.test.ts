import { expect, test } from "vitest";
import { type EditableField, editableFields, readFieldText, textOfValue } from "./field-text.ts";

const field = (type: EditableField["type"], required = false): EditableField => ({
  name: "plan",
  type,
  required,
});

test.each([
  ["string", "big", "big"],
  ["number", 3.5, "3.5"],
  ["boolean", false, "false"],
  ["date", "2026-06-01T12:30:00.000Z", "2026-06-01T12:30"],
  ["string[]", ["a", "b c"], "a\nb c"],
  ["number[]", [1, 2], "1\n2"],
  [["small", "big"], "big", "big"],
] as const)("a value of the type %j keeps its value as text", (type, value, text) => {
  const typedField = field(typeof type === "string" ? type : [...type]);
  expect(textOfValue(typedField, value)).toBe(text);
  expect(readFieldText(typedField, text)).toEqual({ value });
});

test.each([
  ["number", "many"],
  ["number", " "],
  ["number[]", "1\ntwo"],
  ["date", "tomorrow"],
] as const)("refuses for the type %s the text %j", (type, text) => {
  expect(readFieldText(field(type), text)).toHaveProperty("fault");
});

test("clears an optional field by an empty text, and no required one", () => {
  expect(readFieldText(field("string"), "")).toEqual({ value: null });
  expect(readFieldText(field("string", true), "")).toHaveProperty("fault");
  expect(textOfValue(field("string"), null)).toBe("");
});

test("reads the fields of the option that replies show", () => {
  const option = {
    plan: { type: "string", required: false },
    secret: { type: "string", returned: false },
    odd: { type: "function" },
    size: { type: ["small", "big"] },
  };
  expect(editableFields(option)).toEqual([
    { name: "plan", type: "string", required: false },
    { name: "size", type: ["small", "big"], required: true },
  ]);
  expect(editableFields(undefined)).toEqual([]);
});
