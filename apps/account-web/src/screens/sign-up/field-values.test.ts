import type { SignUpField } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { fieldLabel, fieldValues } from "./field-values.ts";

const fields: readonly SignUpField[] = [
  { name: "company", type: "string", required: false },
  { name: "seats", type: "number", required: true },
  { name: "news", type: "boolean", required: false },
];

test("sends each value in the type of its field", () => {
  expect(fieldValues(fields, { company: "Acme", seats: "3", news: false })).toEqual({
    company: "Acme",
    seats: 3,
    news: false,
  });
});

test("leaves out what is empty or not a field", () => {
  expect(fieldValues(fields, { company: "", other: "x" })).toEqual({});
});

test.each([
  ["company", "Company"],
  ["companyName", "Company name"],
  ["line2Text", "Line2 text"],
])("labels %s as %s", (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
