import { describe, expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search-text.ts";

describe("the search part of an address", () => {
  test.each([
    ["?q=ada+lovelace", { q: "ada lovelace" }],
    ["?q=123&dir=asc", { q: "123", dir: "asc" }],
    ["?q=%7B%22a%22%3A1%7D", { q: '{"a":1}' }],
    ["?q=a&q=b", { q: "b" }],
    ["?q=%ZZ", { q: "%ZZ" }],
    ["", {}],
  ])("is read from %s as plain text values", (text, search) => {
    expect(parseSearch(text)).toEqual(search);
  });

  test("survives a round trip", () => {
    const search = { q: "a&b=c #1 ü", dir: "desc", cursor: undefined, none: "" };
    expect(parseSearch(stringifySearch(search))).toEqual({ q: "a&b=c #1 ü", dir: "desc" });
    expect(stringifySearch({})).toBe("");
  });
});
