import { describe, expect, test } from "vitest";
import {
  anyRoleAllows,
  type AskedPermissions,
  type Connector,
  hasPermissions,
  isAdmin,
  mayActOn,
  mayActOnEverybody,
} from "./access-control.ts";
import { adminStatements } from "./options/admin.ts";

const definitions = {
  editor: { page: ["read", "write"], comment: ["read"] },
  seller: { invoice: ["send"], page: [] },
};

const allows = (role: string, permissions: AskedPermissions, connector?: Connector) =>
  anyRoleAllows(definitions, role.split(","), { permissions, connector });

describe("requested actions and resources, which are combined by AND", () => {
  test.each<[role: string, asked: AskedPermissions, allowed: boolean]>([
    ["editor", { page: ["read"] }, true],
    ["editor", { page: ["read", "write"], comment: ["read"] }, true],
    ["editor", { page: ["read", "delete"] }, false],
    ["editor", { page: ["read"], comment: ["write"] }, false],
    ["editor", { invoice: ["send"] }, false],
    ["editor,seller", { page: ["read"], invoice: ["send"] }, false], // one role must allow everything: roles are not combined
    ["nobody,seller", { invoice: ["send"] }, true],
    ["seller", { page: [] }, true],
    ["seller", { comment: [] }, false],
    ["editor", {}, false],
    ["nobody", { page: [] }, false],
    [" editor", { page: ["read"] }, false],
    ["constructor", { page: [] }, false],
    ["editor", { constructor: [] }, false],
  ])("%s with the request %j: %s", (role, asked, allowed) => {
    expect(allows(role, asked)).toBe(allowed);
  });
});

describe("connectors", () => {
  const either = (...actions: string[]) => ({ actions, connector: "OR" as const });
  const both = (...actions: string[]) => ({ actions, connector: "AND" as const });
  test.each<[asked: AskedPermissions, connector: Connector, allowed: boolean]>([
    [{ page: either("write", "delete") }, "AND", true],
    [{ page: either("delete") }, "AND", false],
    [{ page: both("read", "delete") }, "AND", false],
    [{ page: both("read", "write") }, "AND", true],
    [{ page: either() }, "AND", false],
    [{ page: both() }, "AND", true],
    [{ page: ["delete"], comment: ["read"] }, "OR", true],
    [{ page: ["delete"], comment: ["write"] }, "OR", false],
    [{ page: ["read"], invoice: ["send"] }, "OR", true],
    // A resource that the role does not name ends the evaluation.
    [{ invoice: ["send"], page: ["read"] }, "OR", false],
    [{ page: ["delete"], invoice: ["send"], comment: ["read"] }, "OR", false],
    [{}, "OR", false],
  ])("%j combined by %s: %s", (asked, connector, allowed) => {
    expect(allows("editor", asked, connector)).toBe(allowed);
  });
});

const rules = {
  defaultRole: "guest",
  adminRoles: ["admin", "owner"],
  adminUserIds: ["root"],
  roles: {
    admin: { user: ["ban", "list"], session: ["list"] },
    banner: { user: ["ban"] },
    lister: { session: ["list"], report: [] },
    guest: { report: ["read"] },
  },
};

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
    expect(hasPermissions(rules, { role }, asked)).toBe(true);
  });

  test.each<[role: string, asked: Asked]>([
    ["admin", { user: ["ban", "delete"] }],
    ["banner", { user: ["ban"], session: ["list"] }],
    ["banner,lister", { user: ["ban"], session: ["list"] }], // one role must allow everything: roles are not combined
    ["nobody", { user: ["ban"] }],
    [" admin", { user: ["ban"] }],
    ["toString", { length: [] }],
    ["admin", { constructor: [] }],
    ["admin", { report: [] }],
    ["admin", {}],
  ])("%j does not allow %j", (role, asked) => {
    expect(hasPermissions(rules, { role }, asked)).toBe(false);
  });
});

test("an id in adminUserIds may do anything, whether the user is known or not", () => {
  const root = { id: "root", role: "nobody" };
  expect(hasPermissions(rules, root, { moon: ["land on"] })).toBe(true);
});

test.each([
  [{ role: "admin" }, true],
  [{ role: "user,owner" }, true],
  [{ id: "root", role: "guest" }, true],
  [{ id: "other", role: "guest" }, false],
  [{ role: "banner" }, false],
  [{ role: null }, false],
])("%j is an admin: %s", (holder, expected) => {
  expect(isAdmin(rules, holder)).toBe(expected);
});

describe("acting on other users", () => {
  const rules = {
    defaultRole: "user",
    adminUserIds: ["root"],
    roles: {
      admin: { ...adminStatements, project: ["delete"] },
      platform: adminStatements,
      support: { user: ["impersonate"], session: ["list"] },
      manager: { user: ["set-role"] },
      lead: { user: ["impersonate", "set-role"] },
      empty: { user: [] },
      user: {},
    },
  };

  test.each<[caller: string, target: string, may: boolean]>([
    ["support", "user", true],
    ["support", "support", true],
    ["support", "manager", false],
    ["support", "user,manager", false],
    ["support", "empty", true],
    ["support", "unknown", true],
    ["support", "", true],
    ["support,manager", "lead", true],
    ["lead", "support", false],
    ["admin", "lead", true],
    ["admin", "platform", true],
    ["platform", "admin", false],
    ["user", "user", true],
    ["", "support", false],
  ])("%j may act on %j: %s", (caller, target, may) => {
    expect(mayActOn(rules, { role: caller }, { role: target })).toBe(may);
  });

  test("an id in adminUserIds has every permission", () => {
    const root = { id: "root", role: "user" };
    expect(mayActOn(rules, root, { role: "admin" })).toBe(true);
    expect(mayActOn(rules, { role: "admin" }, root)).toBe(true);
    expect(mayActOn(rules, { role: "platform" }, root)).toBe(false);
    expect(mayActOn(rules, { id: "other", role: "support" }, root)).toBe(false);
  });

  test("only a caller with the permissions of all roles may act on every user", () => {
    const callers = ["admin", "platform", "lead", "user"];
    expect(callers.filter((role) => mayActOnEverybody(rules, { role }))).toEqual(["admin"]);
    expect(mayActOnEverybody(rules, { id: "root", role: "user" })).toBe(true);
  });
});
