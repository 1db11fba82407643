import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { findWeb } from "./commands.ts";

test.each([
  [{}, "/admin"],
  [{ admin: { path: "/ops/" } }, "/ops"],
  [{ admin: { web: false } }, undefined],
  [{ admin: { enabled: false } }, undefined],
  // It would hide operations, so it is not served.
  [{ basePath: "/" }, undefined],
  [{ admin: { path: "/api" } }, undefined],
])("with %j the admin web is reported at %j", (options, path) => {
  const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...options }, {});
  expect(findWeb("admin", settings)).toBe(path);
});
