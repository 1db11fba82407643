import { expect, test } from "vitest";
import { actionText } from "./action-text.ts";

test("describes an action by its text, or by its parts if it has none", () => {
  expect(actionText("session.created")).toBe("Signed in");
  expect(actionText("signing-key.created")).toBe("Signing key created");
  expect(actionText("constructor")).toBe("Constructor");
  expect(actionText("")).toBe("–");
});
