import { describe, expect, test } from "vitest";
import { type Access, permissionSet, refusalOf } from "./access.ts";

const access = (permissions: string[], impersonatedBy: string | null = null): Access =>
  // Includes only the fields that decide access.
  ({ session: { impersonatedBy }, permissions: new Set(permissions) }) as unknown as Access;

describe("access to the admin web", () => {
  test.each([
    ["refuses a visitor without a session", null, "signed-out"],
    ["refuses a user without any permission", access([]), "not-admin"],
    ["admits a user with one permission", access(["user:list"]), undefined],
    ["admits an admin who impersonates a user", access([], "admin-1"), undefined],
  ])("%s", (_who, given, refusal) => {
    expect(refusalOf(given)).toBe(refusal);
  });

  test("distinguishes permissions by resource", () => {
    const set = permissionSet({ user: ["list"], session: [] });
    expect(set.has("user:list")).toBe(true);
    expect(set.has("session:list")).toBe(false);
  });
});
