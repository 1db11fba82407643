import { expect, test } from "vitest";
import { placeholderEmail } from "./placeholder-email.ts";
import { readEmail } from "./read-email.ts";

test.each([
  ["ann@example.com", "ann@example.com"],
  ["Ann@Example.COM", "ann@example.com"],
  ["ann@invalid.example.com", "ann@invalid.example.com"],
])("%s is an address that somebody may name", (given, email) => {
  expect(readEmail(given)).toBe(email);
});

// Attack: whoever registers the address that stands for somebody at a provider keeps them from ever signing in there.
test.each([
  ["for somebody at a provider", placeholderEmail("twitter", "42")],
  ["for nobody", "ann@example.invalid"],
  ["for nobody, in capitals", "ANN@EXAMPLE.INVALID"],
])("an address that stands %s is none that may be named", (_case, given) => {
  expect(() => readEmail(given)).toThrow("Invalid email");
});

test.each([undefined, null, 1, "", "ann", "ann@", { email: "ann@example.com" }])(
  "%j is no address",
  (given) => {
    expect(() => readEmail(given)).toThrow("Invalid email");
  },
);
