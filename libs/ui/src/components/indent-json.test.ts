import { expect, test } from "vitest";
import { indentJson } from "./indent-json.ts";

test.each([
  ['{"id":"e1"}', '{\n  "id": "e1"\n}'],
  ['{"id":', '{"id":'],
  ["<b>Bad gateway</b>", "<b>Bad gateway</b>"],
  ["", ""],
])("shows %j as %j", (text, shown) => {
  expect(indentJson(text)).toBe(shown);
});
