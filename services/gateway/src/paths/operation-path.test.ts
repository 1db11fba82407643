import { expect, test } from "vitest";

import { stripBasePath } from "./operation-path.ts";

test.each([
  ["/api/auth/ok", "/api/auth", "/ok"],
  ["/api/auth/ok", "/api/auth/", "/ok"],
  ["/api/auth", "/api/auth", "/"],
  ["/ok", "", "/ok"],
  ["/ok", "/", "/ok"],
  ["/", "/", "/"],
  ["/api/auth/api/auth/ok", "/api/auth", "/api/auth/ok"],
])("%s under %s is the operation path %s", (path, base, expected) => {
  expect(stripBasePath(path, base)).toBe(expected);
});

test.each([
  ["/prefix/api/auth/ok", "/api/auth"],
  ["/api/authority", "/api/auth"],
  ["/api/auth-x/ok", "/api/auth"],
  ["/API/auth/ok", "/api/auth"],
  ["/api", "/api/auth"],
  ["/", "/api/auth"],
  ["/ok", "/api/auth"],
])("%s is outside %s", (path, base) => {
  expect(stripBasePath(path, base)).toBeUndefined();
});
