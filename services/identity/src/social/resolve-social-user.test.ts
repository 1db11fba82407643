import { expect, test } from "vitest";
import { readGivenName } from "./resolve-social-user.ts";

test.each([
  [{ firstName: "Ada", lastName: "Lovelace" }, "Ada Lovelace"],
  [{ firstName: "Ada", lastName: null }, "Ada"],
  [{ firstName: null, lastName: "Lovelace" }, "Lovelace"],
  [{ firstName: "Ada" }, "Ada"],
  [{ firstName: "Ada", lastName: 7 }, "Ada"],
  [{ firstName: " ", lastName: "Lovelace " }, "Lovelace"],
  [{ firstName: null, lastName: null }, undefined],
  [{}, undefined],
  [null, undefined],
])("of the parts %j, those that Apple sends are the name", (name, expected) => {
  expect(readGivenName(JSON.stringify({ name, email: "ada@example.com" }))).toBe(expected);
});

test.each([undefined, "", "{", "null", "[]"])("reads no name from %j", (posted) => {
  expect(readGivenName(posted)).toBeUndefined();
});
