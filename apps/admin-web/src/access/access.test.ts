import { describe, expect, test } from "vitest";
import { type Access, permissionSet, refusalOf } from "./access.ts";

const access = (permissions: string[], impersonatedBy: string | null = null): Access =>
  // Only what decides is there.
  ({ session: { impersonatedBy }, permissions: new Set(permissions) }) as unknown as Access;

describe("who may be here", () => {
  test.each([
    ["nobody who is signed out", null, "signed-out"],
    ["nobody without any permission", access([]), "not-admin"],
    ["who may do one thing", access(["user:list"]), undefined],
    ["an admin in the shoes of a user", access([], "admin-1"), undefined],
  ])("%s", (_who, given, refusal) => {
    expect(refusalOf(given)).toBe(refusal);
  });

  test("permissions are told apart by resource", () => {
    const set = permissionSet({ user: ["list"], session: [] });
    expect(set.has("user:list")).toBe(true);
    expect(set.has("session:list")).toBe(false);
  });
});
