import { expect, test } from "vitest";
import { placeholderEmail, readEmail } from "./email.ts";

test.each([
  ["ann@example.com", "ann@example.com"],
  ["Ann@Example.COM", "ann@example.com"],
  ["ann@invalid.example.com", "ann@invalid.example.com"],
])("accepts %s as an address", (given, email) => {
  expect(readEmail(given)).toBe(email);
});

// Attack: registering the placeholder address of a user would prevent that user's first sign-in at the provider.
test.each([
  ["for a user at a provider", placeholderEmail("twitter", "42")],
  ["for no user", "ann@example.invalid"],
  ["for no user, in capitals", "ANN@EXAMPLE.INVALID"],
])("rejects an address that stands %s", (_case, given) => {
  expect(() => readEmail(given)).toThrow("Invalid email");
});

test.each([undefined, null, 1, "", "ann", "ann@", { email: "ann@example.com" }])(
  "rejects %j",
  (given) => {
    expect(() => readEmail(given)).toThrow("Invalid email");
  },
);
