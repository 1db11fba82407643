import { expect, test } from "vitest";
import { failureOf } from "./failure-of.ts";

test.each([
  ["INVALID_TOKEN", "link"],
  ["access_denied", "cancelled"],
  ["account_not_linked", "notLinked"],
  ["unable_to_link_account", "otherEmail"],
  ["account_already_linked_to_different_user", "taken"],
  ["email_not_found", "noEmail"],
  ["signup_disabled", "noAccount"],
  ["BANNED_USER", "blocked"],
  ["invalid_callback_url", "address"],
  ["<b>", "other"],
  [undefined, "other"],
])("takes the code %s as %s", (code, failure) => {
  expect(failureOf(code)).toBe(failure);
});
