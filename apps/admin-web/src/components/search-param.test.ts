import { expect, test } from "vitest";
import { nameParam, oneOf, searchOf, textParam, textThat } from "./search-param.ts";

const search = searchOf({
  q: textParam(3),
  role: nameParam(3),
  tab: oneOf("one", "two"),
  day: textThat((text) => text.endsWith("!")),
});

test("reads every param, and only those", () => {
  const valid = { q: "", role: "abc", tab: "two", day: "now!" };
  expect(search({ ...valid, other: "x" })).toStrictEqual(valid);
  expect(search({})).toStrictEqual({});
});

/** Attack: a link leads to another site after sign-in, by a param that was found invalid. */
test.each([
  { q: "long" },
  { role: "" },
  { role: "long" },
  { tab: "three" },
  { tab: "constructor" },
  { day: "now" },
  { q: 1 },
  { tab: ["one"] },
  { q: undefined },
  { q: null },
])("%j is undefined, so that the router does not keep the text of the address", (given) => {
  const [name] = Object.keys(given);
  expect(search(given)).toStrictEqual({ [String(name)]: undefined });
});

test("reads no inherited member", () => {
  expect(search(Object.create({ tab: "one" }) as Record<string, unknown>)).toStrictEqual({});
});
