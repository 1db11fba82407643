import { hasPermissions } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { isAdmin } from "./admin-rules.ts";

const options = identityConfig({
  admin: {
    defaultRole: "guest",
    adminRoles: ["admin", "owner"],
    adminUserIds: ["root"],
    roles: {
      admin: { user: ["ban", "list"], session: ["list"] },
      banner: { user: ["ban"] },
      lister: { session: ["list"], report: [] },
      guest: { report: ["read"] },
    },
  },
}).admin;

type Asked = Record<string, string[]>;

describe("a role list", () => {
  test.each<[role: string | null | undefined, asked: Asked]>([
    ["admin", { user: ["ban"] }],
    ["admin", { user: ["ban", "list"], session: ["list"] }],
    ["nobody,banner", { user: ["ban"] }],
    ["lister", { report: [] }],
    ["guest", { report: ["read"] }],
    [null, { report: ["read"] }],
    [undefined, { report: ["read"] }],
    ["", { report: ["read"] }],
  ])("%j allows %j", (role, asked) => {
    expect(hasPermissions(options, { role }, asked)).toBe(true);
  });

  test.each<[role: string, asked: Asked]>([
    ["admin", { user: ["ban", "delete"] }],
    ["banner", { user: ["ban"], session: ["list"] }],
    ["banner,lister", { user: ["ban"], session: ["list"] }], // either one, never both together
    ["nobody", { user: ["ban"] }],
    [" admin", { user: ["ban"] }],
    ["toString", { length: [] }],
    ["admin", { constructor: [] }],
    ["admin", { report: [] }],
    ["admin", {}],
  ])("%j does not allow %j", (role, asked) => {
    expect(hasPermissions(options, { role }, asked)).toBe(false);
  });
});

test("whose id is configured may do anything, known or not", () => {
  const root = { id: "root", role: "nobody" };
  expect(hasPermissions(options, root, { moon: ["land on"] })).toBe(true);
});

test.each([
  [{ role: "admin" }, true],
  [{ role: "user,owner" }, true],
  [{ id: "root", role: "guest" }, true],
  [{ id: "other", role: "guest" }, false],
  [{ role: "banner" }, false],
  [{ role: null }, false],
])("%j is an admin: %s", (holder, expected) => {
  expect(isAdmin(options, holder)).toBe(expected);
});
