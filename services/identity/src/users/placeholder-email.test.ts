import { createHash } from "node:crypto";
import { normalizeEmail } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { isPlaceholderEmail, placeholderEmail } from "./email.ts";

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

test.each(ids)("makes a valid address from %j that is recognised as a placeholder", (id) => {
  const email = placeholderEmail("acme", id);
  expect(normalizeEmail(email)).toBe(email);
  expect(email).toMatch(/@acme\.invalid$/);
  expect(isPlaceholderEmail(email)).toBe(true);
});

test("makes a different address for each id, at one provider and at two", () => {
  const all = ["acme", "other"].flatMap((provider) =>
    ids.map((id) => placeholderEmail(provider, id)),
  );
  expect(new Set(all).size).toBe(2 * ids.length);
});

test("keeps an id of letters and digits readable", () => {
  expect(placeholderEmail("acme", "t2_4ko9")).toBe("t2_4ko9@acme.invalid");
});

test.each(["ann@example.com", "ann@invalid.example.com", "ann@acme.invalid.org"])(
  "does not take %s for a placeholder",
  (email) => {
    expect(isPlaceholderEmail(email)).toBe(false);
  },
);
