import { expect, test } from "vitest";
import { parseSearch, placeOf, stringifySearch } from "./search-text.ts";

test.each([
  ["?q=ada+lovelace", { q: "ada lovelace" }],
  ["?q=123&dir=asc", { q: "123", dir: "asc" }],
  ["?q=%7B%22a%22%3A1%7D", { q: '{"a":1}' }],
  ["?q=a&q=b", { q: "b" }],
  ["?q=%ZZ", { q: "%ZZ" }],
  ["", {}],
])("%s is read as plain text values", (text, search) => {
  expect(parseSearch(text)).toEqual(search);
});

test("a search survives a round trip without its empty values", () => {
  const search = { q: "a&b=c #1 ü", dir: "desc", page: 2, cursor: undefined, none: "" };
  expect(parseSearch(stringifySearch(search))).toEqual({ q: "a&b=c #1 ü", dir: "desc", page: "2" });
  expect(stringifySearch({})).toBe("");
});

/** As the gateway does for redirects to its own origin. */
const accepted = /^\?[\w\-.+/=&%@]*$/;

test.each([
  "https://app.example.com/a*b?c=d&e=(f)#g",
  "/home?x='y'!~;,[1]|{2}",
  "https://app.example.com/\u00fc \t\n",
  "$&",
])("formats the address %j as the server accepts it, and parses it again", (redirect_to) => {
  const text = stringifySearch({ redirect_to });
  expect(text).toMatch(accepted);
  expect(parseSearch(text)).toEqual({ redirect_to });
});

test.each([
  ["/users?q=ada", { to: "/users", search: { q: "ada" } }],
  ["/$userId", { to: "/%24userId", search: {} }],
])("navigates to %s unchanged", (href, place) => {
  expect(placeOf(href)).toEqual(place);
});
