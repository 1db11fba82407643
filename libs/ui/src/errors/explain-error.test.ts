import { expect, test } from "vitest";
import { hookText } from "./explain-error.ts";

test.each([
  ["VALIDATION_ERROR", "Password is too common"],
  ["FORBIDDEN", "Sign-ups are closed"],
])("a hook that throws %s gives the text that users see", (code, message) => {
  expect(hookText({ code, message })).toBe(message);
});

test.each([
  ["VALIDATION_ERROR", "Invalid body parameters"],
  ["VALIDATION_ERROR", "Invalid query parameters"],
  ["FORBIDDEN", "Forbidden"],
  ["INVALID_TOKEN", "Invalid token"],
  [undefined, "The request failed"],
])("%s with the text %j is an error of Latchkey, which pages explain", (code, message) => {
  expect(hookText({ code, message })).toBeUndefined();
});
