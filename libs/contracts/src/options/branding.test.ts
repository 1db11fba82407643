import { expect, test } from "vitest";
import { brandingOptions } from "./branding.ts";

const isValid = (branding: object): boolean => brandingOptions.safeParse(branding).success;

test.each([
  [{}],
  [{ color: "#000000", darkColor: "#1D4ED8" }],
  [{ color: "#ffffff" }],
  [{ color: "#facc15", font: "system" }],
  [{ logo: "https://example.com/logo.png", termsURL: "https://example.com/terms" }],
  [{ supportAddress: "help@example.com" }],
])("accepts the branding %j", (branding) => {
  expect(isValid(branding)).toBe(true);
});

/** Attack: an option breaks out of the attribute or the header that it becomes part of. */
test.each([
  [{ color: "blue" }],
  [{ color: "#fff" }],
  [{ font: "inter;x" }],
  [{ color: "#000000;background:url(x)" }],
  [{ logo: "data:image/png;base64,AAAA" }],
  [{ logo: "https://a;script-src/logo.png" }],
  [{ logo: "https://*/logo.png" }],
  [{ privacyURL: "javascript:alert(1)" }],
  [{ termsURL: "/terms" }],
  [{ supportAddress: "help" }],
  [{ name: "" }],
])("rejects the branding %j", (branding) => {
  expect(isValid(branding)).toBe(false);
});
