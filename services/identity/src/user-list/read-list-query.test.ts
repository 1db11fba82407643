import { type AdditionalField, WireError } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { describe, expect, test } from "vitest";
import { userColumnsWith } from "../rows/columns.ts";
import { writePlace } from "./list-place.ts";
import { type ListQuery, readListQuery } from "./read-list-query.ts";

const ring = createSecretRing(["a secret for tests, and for nothing else"]);
const field = (type: AdditionalField["type"]): AdditionalField => ({
  type,
  required: false,
  input: true,
  returned: true,
  unique: false,
});
const columns = userColumnsWith({
  age: field("number"),
  tags: field("string[]"),
  scores: field("number[]"),
  plan: field(["free", "paid"]),
});

const read = (query: ListQuery) => readListQuery({ columns, ring, defaultLimit: 100 }, query);
const rangeOf = (query: ListQuery) => read(query)?.range;
const conditionsOf = (query: ListQuery) =>
  rangeOf(query)?.conditions.map(({ column, operator, value }) => [column.name, operator, value]);

const refusalOf = (query: ListQuery): unknown => {
  try {
    return read(query);
  } catch (error) {
    return error instanceof WireError ? [error.status, error.body()] : error;
  }
};
const refused = (path: string, message: unknown = expect.any(String)) => [
  400,
  {
    code: "VALIDATION_ERROR",
    message: "Invalid query parameters",
    issues: [{ path, message }],
  },
];

test("lists the oldest users first, up to the default limit, without parameters", () => {
  expect(read({})).toEqual({
    range: {
      conditions: [],
      order: { column: columns.get("createdAt"), direction: "asc" },
      after: undefined,
      offset: 0,
      limit: 100,
    },
    given: {},
  });
});

describe("limit and offset", () => {
  test.each(["0", "", " ", "-0", "ten", "NaN", "10abc"])("treats %j as missing", (text) => {
    expect(read({ limit: text, offset: text })).toEqual(read({}));
  });

  test("uses and returns the given values", () => {
    expect(read({ limit: "1000", offset: "5000" })).toMatchObject({
      range: { limit: 1000, offset: 5000 },
      given: { limit: 1000, offset: 5000 },
    });
    expect(read({ limit: "7" })?.given).toStrictEqual({ limit: 7 });
  });

  test.each(["-1", "1.5", "1001", "Infinity", "1e9"])("rejects a limit of %s", (limit) => {
    expect(refusalOf({ limit })).toEqual(refused("limit"));
  });

  test.each(["-1", "0.5", "Infinity", "9007199254740993"])("rejects an offset of %s", (offset) => {
    expect(refusalOf({ offset })).toEqual(refused("offset"));
  });
});

describe("search and filter", () => {
  test("turns both into conditions, each with its defaults", () => {
    expect(conditionsOf({ searchValue: "Ada", filterValue: "B@c.d" })).toEqual([
      ["email", "contains", "ada"],
      ["email", "eq", "b@c.d"],
    ]);
    expect(
      conditionsOf({
        searchField: "name",
        searchOperator: "ends_with",
        searchValue: "Ada",
        filterField: "role",
        filterOperator: "ne",
        filterValue: "admin",
      }),
    ).toEqual([
      ["name", "ends_with", "Ada"],
      ["role", "ne", "admin"],
    ]);
  });

  test("makes no condition from an empty value, whatever the other parameters", () => {
    expect(conditionsOf({ searchValue: "", searchField: "name" })).toEqual([]);
    expect(conditionsOf({ filterValue: "", filterField: "nothing" })).toEqual([]);
    expect(conditionsOf({ filterField: "banned", filterOperator: "lt" })).toEqual([]);
  });

  test.each([
    ["banned", "true", true],
    ["banned", "false", false],
    ["age", "-1.5", -1.5],
    ["createdAt", "2030-01-01T00:00:00.000Z", new Date("2030-01-01T00:00:00.000Z")],
    ["role", "true", "true"],
    ["plan", "cheap", "cheap"],
  ])("reads a value of %s by its type: %s", (filterField, filterValue, value) => {
    expect(conditionsOf({ filterField, filterValue })).toEqual([[filterField, "eq", value]]);
  });

  test.each([
    ["tags", "a", "a"],
    ["scores", "1", 1],
  ])("reads an element of the list %s by its type", (filterField, filterValue, value) => {
    expect(conditionsOf({ filterField, filterValue, filterOperator: "contains" })).toEqual([
      [filterField, "contains", value],
    ]);
  });

  test.each([
    ["banned", "yes"],
    ["banned", "TRUE"],
    ["banned", "1"],
    ["banned", "constructor"],
    ["age", "old"],
    ["age", " "],
    ["age", "Infinity"],
    ["createdAt", "now"],
    ["createdAt", "1700000000000"],
    ["banExpires", "2030-02-30"],
  ])("rejects for %s the value %j", (filterField, filterValue) => {
    expect(refusalOf({ filterField, filterValue })).toEqual(
      refused("filterValue", "is of another type"),
    );
  });

  test.each([
    ["banned", "contains", "true"],
    ["createdAt", "contains", "2030-01-01"],
    ["tags", "eq", "a"],
    ["name", "has", "a"],
    ["tags", "has", "a"],
  ] as const)("%s cannot be asked about by %s", (filterField, filterOperator, filterValue) => {
    expect(refusalOf({ filterField, filterOperator, filterValue })).toEqual(
      refused("filterValue", "has no such comparison"),
    );
  });
});

describe("an unknown column", () => {
  test.each([
    { sortBy: "nothing" },
    { sortBy: "constructor" },
    { sortBy: "revision" },
    { sortBy: "extra" },
    { sortBy: "created_at" },
    { filterField: "password", filterValue: "a" },
    { filterField: "nothing", filterValue: "a" },
  ])("returns undefined for %j", (query) => {
    expect(read(query)).toBeUndefined();
  });

  test("does not hide other errors", () => {
    expect(refusalOf({ sortBy: "nothing", limit: "-1" })).toEqual(refused("limit"));
  });
});

describe("order", () => {
  test("uses a direction only together with a column", () => {
    expect(rangeOf({ sortBy: "name", sortDirection: "desc" })?.order.direction).toBe("desc");
    expect(rangeOf({ sortBy: "name" })?.order.direction).toBe("asc");
    expect(rangeOf({ sortDirection: "desc" })).toEqual(rangeOf({}));
    expect(rangeOf({ sortBy: "", sortDirection: "desc" })).toEqual(rangeOf({}));
  });

  test("accepts a cursor only in the order that it comes from", () => {
    const place = { key: "2030-01-01 00:00:00+00", id: "a" };
    const order = rangeOf({})?.order;
    if (!order) throw new Error("there is no order");
    const cursor = writePlace(ring, order, place);
    expect(rangeOf({ cursor })?.after).toEqual(place);
    expect(rangeOf({ cursor, sortBy: "createdAt" })?.after).toEqual(place);
    expect(rangeOf({ cursor: "" })?.after).toBeUndefined();
    for (const query of [
      { cursor, sortBy: "name" },
      { cursor, sortBy: "createdAt", sortDirection: "desc" },
      { cursor: "garbage" },
    ] as const)
      expect(refusalOf(query)).toEqual(refused("cursor"));
  });
});
