import { expect, test } from "vitest";
import { errorBodyOf } from "./error-body-of.ts";

test("reads an error that Latchkey wrote", () => {
  const body = {
    code: "VALIDATION_ERROR",
    message: "Validation Error",
    issues: [{ path: "email", message: "must be an address" }],
  };
  expect(errorBodyOf({ ...body, details: {} })).toEqual(body);
});

test("reads the proof that a session lacks", () => {
  const body = { code: "SESSION_IS_NOT_FRESH", details: { requires: "second-factor" } };
  expect(errorBodyOf(body)).toEqual(body);
});

test.each([
  undefined,
  null,
  5,
  "<html>",
  [],
  {},
  { message: 5, code: null },
  { issues: [null] },
  { issues: [{ path: "email" }] },
  { issues: {} },
  { details: { requires: "money" } },
])("ignores an error that something else wrote: %j", (answer) => {
  expect(errorBodyOf(answer)).toEqual({});
});
