import { expect, test } from "vitest";
import { providerName } from "./provider-name.ts";

test.each([
  [{ id: "github" }, "GitHub"],
  [{ id: "google" }, "Google"],
  [{ id: "acme", name: "Acme SSO" }, "Acme SSO"],
  [{ id: "constructor" }, "Constructor"],
])("names %j %s", (provider, name) => {
  expect(providerName(provider)).toBe(name);
});
