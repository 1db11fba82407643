import { type AdditionalField, WireError } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { userColumnsWith } from "../../users/search/columns.ts";
import { type ListQuery, readListQuery } from "./list-users.ts";

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

const read = (query: ListQuery) => readListQuery(columns, query);
const conditionsOf = (query: ListQuery) =>
  read(query)?.conditions.map(({ column, operator, value }) => [column.name, operator, value]);

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

test("lists the oldest users first without parameters", () => {
  expect(read({})).toEqual({
    conditions: [],
    role: undefined,
    alternatives: [],
    wayIn: undefined,
    sortBy: "createdAt",
    sortDirection: "asc",
    given: {},
  });
});

describe("limit and offset", () => {
  test.each(["0", "", " ", "-0", "ten", "NaN", "10abc"])("treats %j as missing", (text) => {
    expect(read({ limit: text, offset: text })).toEqual(read({}));
  });

  test("reads the given values", () => {
    expect(read({ limit: "1000", offset: "5000" })?.given).toStrictEqual({
      limit: 1000,
      offset: 5000,
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

  const groupsOf = (query: ListQuery) =>
    read({ searchField: "any", ...query })?.alternatives.map((group) =>
      group.map(({ column, operator, value }) => [column.name, operator, value]),
    );
  const alternativesOf = (query: ListQuery) => groupsOf(query)?.flat();

  test("finds a term in any of four columns, each by what its index can find", () => {
    expect(alternativesOf({ searchValue: "Ada" })).toEqual([
      ["email", "contains", "ada"],
      ["name", "contains", "Ada"],
      ["username", "starts_with", "Ada"],
      ["id", "eq", "Ada"],
    ]);
    const long = "a".repeat(51);
    expect(alternativesOf({ searchValue: long })?.[2]).toEqual(["username", "eq", long]);
  });

  test.each([
    ["a", undefined, "starts_with"],
    ["王", undefined, "starts_with"],
    ["𝒜", undefined, "starts_with"],
    ["a", "contains", "contains"],
    ["ad", undefined, "contains"],
    ["ada", "ends_with", "ends_with"],
  ] as const)("searches for %j, if asked by %s, by %s", (searchValue, searchOperator, operator) => {
    expect(alternativesOf({ searchValue, searchOperator })?.[1]?.[1]).toBe(operator);
  });

  test("finds each word of a term in any of the columns, in any order", () => {
    const named = groupsOf({ searchValue: " Love  A " })?.map((group) => group[1]);
    expect(named).toEqual([
      ["name", "contains", "Love"],
      ["name", "contains", "A"],
    ]);
    const search = { searchValue: "Ada Love", searchOperator: "starts_with" } as const;
    expect(groupsOf(search)).toHaveLength(1);
    expect(groupsOf({ searchValue: "a b c d e f ghi" })).toHaveLength(1);
    expect(groupsOf({ searchValue: "a b" })).toHaveLength(1);
  });

  test("takes a term with an @ for a part of an address", () => {
    const query = { searchField: "any", searchValue: "@Example.com" } as const;
    expect(alternativesOf(query)).toEqual([]);
    expect(conditionsOf(query)).toEqual([["email", "contains", "@example.com"]]);
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

test("uses a direction only together with a column", () => {
  expect(read({ sortBy: "name", sortDirection: "desc" })?.sortDirection).toBe("desc");
  expect(read({ sortBy: "name" })?.sortDirection).toBe("asc");
  expect(read({ sortDirection: "desc" })).toEqual(read({}));
  expect(read({ sortBy: "", sortDirection: "desc" })).toEqual(read({}));
});
