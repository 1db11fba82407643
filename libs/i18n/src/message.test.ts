import { describe, expect, expectTypeOf, test } from "vitest";
import { chooseLanguage, languageFacts } from "./languages.ts";
import { formatMessage, parseMessage, type ValueNames } from "./message.ts";

const days = "{count, plural, =0 {right now} one {in # day} other {in # days}}";
const owner = "{owner, select, user {Your own} other {Owned by {name}}}.";

test.each([
  ["a text without values", {}, "a text without values"],
  ["Hello {name}, {name}!", { name: "Ada" }, "Hello Ada, Ada!"],
  [days, { count: 0 }, "right now"],
  [days, { count: 1 }, "in 1 day"],
  [days, { count: 2 }, "in 2 days"],
  [owner, { owner: "user", name: "" }, "Your own."],
  [owner, { owner: "organization", name: "Acme" }, "Owned by Acme."],
  ["{has, select, yes { until {time}} other {}}.", { has: "no", time: "" }, "."],
])("%s with the values %j is %j", (text, values, expected) => {
  expect(formatMessage("en", text, values)).toBe(expected);
});

test.each([
  [0, "zero"],
  [1, "one"],
  [2, "two"],
  [5, "few 5"],
  [11, "many 11"],
  [100, "other 100"],
])("chooses for %d the Arabic plural form %j", (count, expected) => {
  const text =
    "{count, plural, zero {zero} one {one} two {two} few {few #} many {many #} other {other #}}";
  expect(formatMessage("ar", text, { count })).toBe(expected);
});

/** Attack: a name with message syntax reads another value, or makes a mail fail. */
test("a value is never read as a message", () => {
  const values = { name: "{secret} # {", secret: "s", count: 2 };
  expect(formatMessage("en", "{count, plural, other {# of {name}}}", values)).toBe(
    "2 of {secret} # {",
  );
});

describe("a value in a text from right to left", () => {
  test("is enclosed in isolates, unless it is raw, a number or empty", () => {
    expect(formatMessage("ar", "{a}|{a, raw}|{b}|{c}", { a: "x", b: 7, c: "" })).toBe(
      "\u2068x\u2069|x|7|",
    );
  });
  test("is not enclosed in other languages", () => {
    expect(formatMessage("ja", "{a}", { a: "x" })).toBe("x");
  });
});

test("throws if a value is missing, also one that an object inherits", () => {
  expect(() => formatMessage("en", "Hello {name}")).toThrow("the value name is missing");
  expect(() => formatMessage("en", "Hello {toString}")).toThrow("the value toString is missing");
});

test.each(["{", "}", "a}b", "{a", "{a b}", "{}", "{a, plural}", "{a, number}", "{a, select, x y}"])(
  "rejects the malformed message %j",
  (text) => {
    expect(() => parseMessage(text)).toThrow(SyntaxError);
  },
);

test("the compiler knows the names of the values of a text", () => {
  expectTypeOf<ValueNames<"Sign in">>().toBeNever();
  expectTypeOf<ValueNames<"{a} and {b, raw}">>().toEqualTypeOf<"a" | "b">();
  expectTypeOf<ValueNames<typeof days>>().toEqualTypeOf<"count">();
  expectTypeOf<ValueNames<typeof owner>>().toEqualTypeOf<"owner" | "name">();
});

test.each([
  [["de-AT", "en"], "de"],
  [["nl", "pt-BR", "en"], "pt"],
  [["zh-CN"], "zh-Hans"],
  [["zh_TW"], "zh-Hans"],
  [["AR-eg"], "ar"],
  [[null, "de"], "de"],
  [["fr", "de"], "fr"],
  [["nl"], "en"],
  [[""], "en"],
  [[], "en"],
])("chooses for %j the language %s", (tags, language) => {
  expect(chooseLanguage(tags)).toBe(language);
});

test("only Arabic is written from right to left", () => {
  const rightToLeft = Object.entries(languageFacts).filter(
    ([, { direction }]) => direction === "rtl",
  );
  expect(rightToLeft.map(([language]) => language)).toEqual(["ar"]);
});
