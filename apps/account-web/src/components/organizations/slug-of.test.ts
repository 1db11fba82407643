import { expect, test } from "vitest";
import { isSlug, slugOf } from "./slug-of.ts";

test.each([
  ["Acme", "acme"],
  ["Café & Söhne GmbH", "cafe-sohne-gmbh"],
  ["  -- ", ""],
  ["株式会社", ""],
])("suggests for %j the short name %j", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test.each([
  ["acme-2", true],
  ["Acme", true],
  ["-acme", false],
  ["a b", false],
  ["", false],
])("tells whether %j can be a short name", (text, isOne) => {
  expect(isSlug(text)).toBe(isOne);
});
