import { expect, test } from "vitest";
import { deriveCode, type ErrorCode, errorCatalogue, wireCode } from "./error-catalogue.ts";
import { WireError } from "./wire-error.ts";

test.each([
  ["You can't unlink your last account", "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT"],
  [
    "Session expired. Re-authenticate to perform this action.",
    "SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION",
  ],
  ["Invalid callbackURL", "INVALID_CALLBACKURL"],
  [
    "username is already taken. please try another.",
    "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
  ],
  ["invalid_token", "INVALID_TOKEN"],
])("%j has the code %s", (message, code) => {
  expect(deriveCode(message)).toBe(code);
});

test("every error has a text and an error status", () => {
  for (const { status, message } of Object.values(errorCatalogue)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(message.trim()).not.toBe("");
  }
});

test("each text has one code, even if it serves several statuses", () => {
  const codes = new Map<string, string>();
  for (const name of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { message } = errorCatalogue[name];
    expect(codes.get(message) ?? wireCode(name)).toBe(wireCode(name));
    codes.set(message, wireCode(name));
  }
});

test("the body of an error holds code and message, but not its cause", () => {
  const error = new WireError("INVALID_PASSWORD", { cause: new Error("secret detail") });
  expect(error.body()).toEqual({ code: "INVALID_PASSWORD", message: "Invalid password" });
  expect([error.status, JSON.stringify(error.body()).includes("secret")]).toEqual([400, false]);
});

test.each([
  ["TOO_MANY_REQUESTS", "Too many requests. Please try again later."],
  ["MISSING_CAPTCHA_RESPONSE", "Missing CAPTCHA response"],
  ["CAPTCHA_VERIFICATION_FAILED", "Captcha verification failed"],
  ["SOMETHING_WENT_WRONG", "Something went wrong"],
] as const)("%s has only a message", (code, message) => {
  expect(new WireError(code).body()).toEqual({ message });
});
