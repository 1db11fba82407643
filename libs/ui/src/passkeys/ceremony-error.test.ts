import { expect, test } from "vitest";
import { ceremonyError, isCancelled } from "./ceremony-error.ts";

const errorOf = (name: string) => Object.assign(new Error("in the browser's words"), { name });

test.each([
  ["SecurityError", "Passkeys do not work on this page"],
  ["InvalidStateError", "This device already has a passkey for your account"],
  ["UnknownError", "The browser could not use a passkey"],
  ["constructor", "The browser could not use a passkey"],
])("explains %s, and says what to do", (name, message) => {
  const error = ceremonyError(errorOf(name));
  expect(error.message).toBe(message);
  expect(error.advice).toMatch(/^\w.+\.$/);
  expect(isCancelled(errorOf(name))).toBe(false);
});

test.each(["NotAllowedError", "AbortError"])("takes %s as a cancellation", (name) => {
  expect(isCancelled(errorOf(name))).toBe(true);
});
