import { WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { type ListOrder, writeCursor } from "./list-cursor.ts";
import { type PageQuery, readPage } from "./read-page.ts";
import { takePage } from "./take-page.ts";

const byTime: ListOrder = { by: "createdAt", direction: "asc" };
const byName: ListOrder = { by: "name", direction: "asc" };
const at = new Date("2030-01-02T03:04:05.678Z");

const refusedPath = (query: PageQuery, order = byTime): string | undefined => {
  try {
    readPage(order, query);
    return undefined;
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== "VALIDATION_ERROR") throw error;
    return error.issues?.[0]?.path;
  }
};

describe("limits and offsets", () => {
  test.each([
    [{}, { limit: 100, offset: 0 }],
    [
      { limit: "", offset: "" },
      { limit: 100, offset: 0 },
    ],
    [
      { limit: 0, offset: 0 },
      { limit: 100, offset: 0 },
    ],
    [
      { limit: "7", offset: "20" },
      { limit: 7, offset: 20 },
    ],
    [
      { limit: 1000, offset: 5 },
      { limit: 1000, offset: 5 },
    ],
  ])("%j requests %j", (query, page) => {
    expect(readPage(byTime, query)).toStrictEqual({ order: byTime, ...page });
  });

  test.each([
    [{ limit: "many" }, "limit"],
    [{ limit: "-1" }, "limit"],
    [{ limit: 1.5 }, "limit"],
    [{ limit: 1001 }, "limit"],
    [{ limit: "Infinity" }, "limit"],
    [{ offset: "first" }, "offset"],
    [{ offset: -1 }, "offset"],
    [{ offset: 1e300 }, "offset"],
  ])("rejects %j", (query, path) => {
    expect(refusedPath(query)).toBe(path);
  });
});

describe("cursors", () => {
  test("encode the place of a row in an order", () => {
    const cursor = writeCursor(byTime, { key: at, id: "a" });
    expect(readPage(byTime, { cursor }).after).toEqual({ key: at.toISOString(), id: "a" });
    const named = writeCursor(byName, { key: "é\u{1F600}", id: "b" });
    expect(readPage(byName, { cursor: named }).after).toEqual({ key: "é\u{1F600}", id: "b" });
    expect(readPage(byTime, { cursor: "" })).not.toHaveProperty("after");
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  test.each([
    ["of another order", writeCursor(byName, { key: "a", id: "b" })],
    ["of another direction", writeCursor({ ...byTime, direction: "desc" }, { key: at, id: "b" })],
    ["of no JSON", "garbage"],
    ["of no list", encoded({ at })],
    ["of null", encoded(null)],
    ["with a number as the key", encoded(["createdAt", "asc", 5, "b"])],
    ["without an id", encoded(["createdAt", "asc", at.toISOString()])],
    ["with an invalid time", encoded(["createdAt", "asc", "soon", "b"])],
    ["with an invalid day", encoded(["createdAt", "asc", "2030-02-31T00:00:00.000Z", "b"])],
    ["with year 0", encoded(["createdAt", "asc", "0000-01-01T00:00:00.000Z", "b"])],
    ["with NUL in the id", encoded(["createdAt", "asc", at.toISOString(), "\0"])],
    ["with a lone surrogate in the id", encoded(["createdAt", "asc", at.toISOString(), "\uD800"])],
  ])("%s are rejected", (_kind, cursor) => {
    expect(refusedPath({ cursor })).toBe("cursor");
  });
});

test("returns a cursor only if there are more rows", () => {
  const page = readPage(byName, { limit: 2 });
  const rows = ["a", "b", "c"].map((id) => ({ id, name: `name of ${id}` }));
  const { shown, nextCursor } = takePage(page, rows, ({ name }) => name);
  expect(shown.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(readPage(byName, { cursor: nextCursor }).after).toEqual({ key: "name of b", id: "b" });
  expect(takePage(page, rows.slice(1), ({ name }) => name)).toEqual({ shown: rows.slice(1) });
});
