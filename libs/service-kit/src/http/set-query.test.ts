import { expect, test } from "vitest";
import { encodeQueryValue } from "./escape-text.ts";
import { setQuery } from "./set-query.ts";

test.each([
  ["/page", "/page?error=no"],
  ["/page?", "/page?error=no"],
  ["/page#part", "/page?error=no#part"],
  ["/page#a?error=old", "/page?error=no#a?error=old"],
  ["https://a.example/x?q=a%20b+c&d='()~!*", "https://a.example/x?q=a%20b+c&d='()~!*&error=no"],
  ["/?sig=%2b%2F%c3%bc&&empty&x=", "/?sig=%2b%2F%c3%bc&&empty&x=&error=no"],
  ["app://open?bad=%zz#it's", "app://open?bad=%zz&error=no#it's"],
])("setting a parameter of %s keeps the rest byte for byte", (url, expected) => {
  expect(setQuery(url, { error: "no" })).toBe(expected);
});

test.each([
  ["/?error=old", "/?error=no"],
  ["/?error=old&a=1&error=older&%65rror&error=", "/?a=1&error=no"],
  ["/?errors=1&error_description=a", "/?errors=1&error_description=a&error=no"],
])("a parameter replaces those of its name in %s", (url, expected) => {
  expect(setQuery(url, { error: "no" })).toBe(expected);
});

test("removes parameters of other names on request", () => {
  expect(setQuery("/?error=old&a=1", { token: "t" }, ["error"])).toBe("/?a=1&token=t");
});

test("encodes what no header may contain", () => {
  expect(setQuery("/ä b?c=d\r\ne", { error: "n o" })).toBe("/%C3%A4%20b?c=d%0D%0Ae&error=n%20o");
});

test("a value of a query survives in a link that a mail program finds in a text", () => {
  expect(encodeQueryValue("it's (a) *~! \ud800")).toBe("it%27s%20%28a%29%20%2A%7E%21%20%EF%BF%BD");
});
