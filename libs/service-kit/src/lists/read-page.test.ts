import { WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { type ListOrder, type PlaceType, writeCursor } from "./list-cursor.ts";
import { type PageQuery, readPage, takePage } from "./read-page.ts";

type Order = ListOrder & PlaceType;

const byTime: Order = { by: "createdAt", direction: "asc", type: "time" };
const byName: Order = { by: "name", direction: "asc", type: "text" };
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
    const order = { by: "createdAt", direction: "asc" };
    expect(readPage(byTime, query)).toStrictEqual({ order, ...page });
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

  test.each<[Partial<Order>, string | null]>([
    [{ type: "time" }, "2030-01-02T03:04:05.678901Z"],
    [{ type: "time", isNullable: true }, null],
    [{ type: "number" }, "-12.50"],
    [{ type: "boolean" }, "false"],
    [{ type: "text" }, ""],
  ])("of %j hold %j", (kind, key) => {
    const order = { ...byName, ...kind };
    expect(readPage(order, { cursor: writeCursor(order, { key, id: "a" }) }).after).toEqual({
      key,
      id: "a",
    });
  });

  test("of number ids hold a whole number", () => {
    const order = { ...byTime, hasNumberIds: true };
    expect(refusedPath({ cursor: writeCursor(order, { key: at, id: "12" }) }, order)).toBe(
      undefined,
    );
    for (const id of ["one", "1.5", "-1", "", "1".repeat(16)])
      expect(refusedPath({ cursor: writeCursor(order, { key: at, id }) }, order)).toBe("cursor");
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  test.each([
    ["of another order", writeCursor(byName, { key: "a", id: "b" })],
    ["of another direction", writeCursor({ ...byTime, direction: "desc" }, { key: at, id: "b" })],
    ["of no JSON", "garbage"],
    ["that are cut short", writeCursor(byTime, { key: at, id: "b" }).slice(0, -5)],
    ["of no list", encoded({ at })],
    ["of null", encoded(null)],
    ["with a number as the key", encoded(["createdAt", "asc", 5, "b"])],
    ["without a key", encoded(["createdAt", "asc", null, "b"])],
    ["without an id", encoded(["createdAt", "asc", at.toISOString()])],
    ["with an invalid time", encoded(["createdAt", "asc", "soon", "b"])],
    ["with an invalid day", encoded(["createdAt", "asc", "2030-02-31T00:00:00.000Z", "b"])],
    ["with another time zone", encoded(["createdAt", "asc", "2030-02-01T00:00:00.000+01:00", "b"])],
    ["with year 0", encoded(["createdAt", "asc", "0000-01-01T00:00:00.000Z", "b"])],
    ["with NUL in the id", encoded(["createdAt", "asc", at.toISOString(), "\0"])],
    ["with a lone surrogate in the id", encoded(["createdAt", "asc", at.toISOString(), "\uD800"])],
  ])("%s are rejected", (_kind, cursor) => {
    expect(refusedPath({ cursor })).toBe("cursor");
  });

  test.each<[Order["type"], string]>([
    ["number", "1e9"],
    ["number", "NaN"],
    ["number", " 1"],
    ["number", "9".repeat(401)],
    ["boolean", "TRUE"],
    ["boolean", "1"],
    ["text", "a\0b"],
  ])("of a %s are rejected with %j", (type, key) => {
    const order = { ...byName, type };
    expect(refusedPath({ cursor: writeCursor(order, { key, id: "a" }) }, order)).toBe("cursor");
  });
});

test("returns a cursor only if there are more rows", () => {
  const page = readPage(byName, { limit: 2 });
  const rows = ["a", "b", "c"].map((id) => ({ id, key: `name of ${id}` }));
  const { rows: shown, nextCursor } = takePage(page, rows, (row) => row);
  expect(shown.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(readPage(byName, { cursor: nextCursor }).after).toEqual({ key: "name of b", id: "b" });
  expect(takePage(page, rows.slice(1), (row) => row)).toEqual({ rows: rows.slice(1) });
});
