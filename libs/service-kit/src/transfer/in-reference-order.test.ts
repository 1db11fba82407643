import { expect, test } from "vitest";
import { inReferenceOrder } from "./in-reference-order.ts";

const table = (name: string, ...refersTo: string[]) => ({ name, columns: [], refersTo });

test("orders tables by reference and then by name", () => {
  const tables = [
    table("member", "organization", "team"),
    table("team", "organization"),
    table("audit"),
    table("organization"),
    table("invitation", "team"),
  ];
  expect(inReferenceOrder(tables).map(({ name }) => name)).toEqual([
    "audit",
    "organization",
    "team",
    "invitation",
    "member",
  ]);
});

test("reports tables with circular references", () => {
  expect(() => inReferenceOrder([table("a", "b"), table("b", "a")])).toThrow("a, b refer");
});
