import { expect, test } from "vitest";
import { placeOf } from "./place-of.ts";

test.each([
  ["/users?q=ada", { to: "/users", search: { q: "ada" } }],
  ["/$userId", { to: "/%24userId", search: {} }],
])("navigates to %s unchanged", (href, place) => {
  expect(placeOf(href)).toEqual(place);
});
