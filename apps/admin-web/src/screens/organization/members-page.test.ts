import { describe, expect, test } from "vitest";
import { membersPage } from "./members-page.ts";
import type { Member } from "./use-organization.ts";

const member = (index: number, role = "member"): Member => ({
  id: `m${index}`,
  organizationId: "o",
  userId: `u${index}`,
  role,
  createdAt: new Date(index).toISOString(),
  user: { id: `u${index}`, name: `Person ${index}`, email: `${index}@example.com`, image: null },
});

const many = Array.from({ length: 120 }, (_, index) => member(index));
const idsOf = (page: ReturnType<typeof membersPage>) => page.rows.map(({ id }) => id);

describe("a page of members", () => {
  test("is cut where its cursor says, and names the next one until there is none", () => {
    const first = membersPage(many, {});
    expect([first.rows.length, first.total, first.nextCursor]).toEqual([50, 120, "50"]);
    const last = membersPage(many, { cursor: "100" });
    expect([last.rows.length, last.nextCursor]).toEqual([20, undefined]);
  });

  test("begins at the beginning where the cursor is none", () => {
    expect(idsOf(membersPage(many, { cursor: "-1e9" }))[0]).toBe("m0");
  });

  test.each([
    ["a name", "person 11"],
    ["an address", "11@EXAMPLE"],
  ])("is searched by %s, in any case", (_what, q) => {
    expect(idsOf(membersPage(many, { q }))).toContain("m11");
  });

  test("is searched by role", () => {
    expect(idsOf(membersPage([...many, member(200, "owner")], { q: "owner" }))).toEqual(["m200"]);
  });

  test("is sorted either way, and an unknown order is that of joining", () => {
    const few = [member(2), member(1), member(3)];
    expect(idsOf(membersPage(few, { sort: "email", dir: "desc" }))).toEqual(["m3", "m2", "m1"]);
    expect(idsOf(membersPage(few, { sort: "constructor" }))).toEqual(["m1", "m2", "m3"]);
  });
});
