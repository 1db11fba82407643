import { expect, test } from "vitest";
import { actionText } from "./action-text.ts";

test("actions are told in words, those without words of their own by their parts", () => {
  expect(actionText("session.created")).toBe("Signed in");
  expect(actionText("signing-key.created")).toBe("Signing key created");
  expect(actionText("constructor")).toBe("Constructor");
  expect(actionText("")).toBe("–");
});
