import type { SignUpField } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { enteredFields, fieldLabel, fieldValues } from "./field-values.ts";

const fields: readonly SignUpField[] = [
  { name: "company", type: "string", required: false },
  { name: "seats", type: "number", required: true },
  { name: "news", type: "boolean", required: false },
];

test("sends each value in the type of its field", () => {
  expect(fieldValues(fields, { company: "Acme", seats: "3", news: false }, "en")).toEqual({
    company: "Acme",
    seats: 3,
    news: false,
  });
});

test("leaves out what is empty or not a field", () => {
  expect(fieldValues(fields, { company: "", other: "x" }, "en")).toEqual({});
});

/** The first mail of a user is in the language of the page. */
test.each([
  ["string", "zh-Hans", "zh-Hans"],
  [["en", "de-AT"], "de", "de-AT"],
] as const)("sends the language that is shown as the locale (%o)", (type, language, locale) => {
  const all: readonly SignUpField[] = [...fields, { name: "locale", type, required: true }];
  expect(enteredFields(all, language)).toEqual(fields);
  expect(fieldValues(all, {}, language)).toEqual({ locale });
});

test("lets the user choose a locale that the shown language does not name", () => {
  const all: readonly SignUpField[] = [{ name: "locale", type: ["en", "de"], required: true }];
  expect(enteredFields(all, "ja")).toEqual(all);
});

test.each([
  ["company", "Company"],
  ["companyName", "Company name"],
  ["line2Text", "Line2 text"],
])("labels %s as %s", (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
