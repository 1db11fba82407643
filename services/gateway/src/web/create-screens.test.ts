import { expect, test } from "vitest";
import { createScreens } from "./mount-web.ts";

const screenOf = (...scripts: string[]) => ({ scripts, isSignedOut: false });
const screens = {
  "/": screenOf("home.js"),
  "/users": screenOf("users.js", "lists.js"),
  "/users/$userId": screenOf("user.js"),
};

test.each<[below: string, scripts: string[]]>([
  ["", ["home.js"]],
  ["/", ["home.js"]],
  ["users", ["users.js", "lists.js"]],
  ["users/", ["users.js", "lists.js"]],
  ["users/17", ["user.js"]],
  ["users/$userId", ["user.js"]],
  ["users/17/sessions", []],
  ["unknown", []],
  ["constructor", []],
])("the page of %j has the scripts %j", (below, scripts) => {
  const pageOf = createScreens(screens, ({ scripts: names }) => names);
  expect(pageOf(below)).toEqual(scripts);
});

test("each page is made once", () => {
  let count = 0;
  const pageOf = createScreens(screens, () => (count += 1));
  for (const below of ["", "users", "users/1", "users/2", "other"]) pageOf(below);
  expect(count).toBe(4);
});
