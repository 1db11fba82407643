import { createHash } from "node:crypto";
import { isEmailAddress } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { isPlaceholderEmail, placeholderEmail } from "./placeholder-email.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 40);

const ids = [
  "ann",
  "Ann",
  "ANN",
  "ann ",
  "ann@example.com",
  "ann+1",
  "an..n",
  "-ann",
  "ann-",
  "12345",
  "723f24d7-e717-40f8-a2b6-cb8464cd23b4",
  "安",
  "x".repeat(64),
  "x".repeat(65),
  "\n",
  hash("Ann"),
  hash(hash("Ann")),
];

test.each(ids)("the placeholder of %j is an address, known as none that mail can go to", (id) => {
  const email = placeholderEmail("acme", id);
  expect(isEmailAddress(email)).toBe(true);
  expect(email.toLowerCase()).toBe(email);
  expect(email).toMatch(/@acme\.invalid$/);
  expect(isPlaceholderEmail(email)).toBe(true);
});

test("no two have the same, at one provider or at two", () => {
  const all = ["acme", "other"].flatMap((provider) =>
    ids.map((id) => placeholderEmail(provider, id)),
  );
  expect(new Set(all).size).toBe(2 * ids.length);
});

test("an id of letters and digits is readable in it", () => {
  expect(placeholderEmail("acme", "t2_4ko9")).toBe("t2_4ko9@acme.invalid");
});

test.each(["ann@example.com", "ann@invalid.example.com", "ann@acme.invalid.org"])(
  "%s is no placeholder",
  (email) => {
    expect(isPlaceholderEmail(email)).toBe(false);
  },
);
