import { describe, expect, test } from "vitest";
import { createWindowTable } from "./window-table.ts";

describe("a table of windows", () => {
  const arrange = (windows: readonly (readonly [key: string, seconds: number])[]) => {
    const table = createWindowTable();
    for (const [key, seconds] of windows) table.start(key, seconds, 0);
    return table;
  };

  test("finds a window until it ends", () => {
    const table = arrange([["a", 10]]);
    expect(table.find("a", 9_999)).toMatchObject({ count: 1, endsAt: 10_000 });
    expect(table.find("a", 10_000)).toBeUndefined();
  });

  test("drops an expired window behind a longer one that is not expired", () => {
    const table = arrange([
      ["long", 60],
      ["short", 1],
    ]);
    table.dropOneOver(1, 1_000, 10);
    expect([table.has("long"), table.has("short")]).toEqual([true, false]);
  });

  test("drops one of another length only if it is full", () => {
    const table = arrange([
      ["a", 60],
      ["b", 1],
    ]);
    table.dropOneOver(60, 1_000, 3);
    expect(table.size()).toBe(2);
    table.dropOneOver(60, 1_000, 2);
    expect([table.size(), table.has("b")]).toEqual([1, false]);
  });

  test("drops no unexpired window, however full it is", () => {
    const table = arrange([
      ["a", 60],
      ["b", 1],
    ]);
    table.dropOneOver(60, 999, 1);
    expect(table.size()).toBe(2);
  });

  test("a restarted window is the newest of its length", () => {
    const table = arrange([
      ["a", 10],
      ["b", 10],
    ]);
    table.start("a", 10, 5_000);
    table.dropOneOver(10, 12_000, 10);
    expect([table.has("a"), table.has("b")]).toEqual([true, false]);
  });
});
