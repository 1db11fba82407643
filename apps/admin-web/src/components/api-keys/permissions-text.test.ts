import { expect, test } from "vitest";
import { readPermissions } from "./permissions-text.ts";

test.each([
  ["", {}],
  ["\n  \n", {}],
  ["files: read, write", { files: ["read", "write"] }],
  ["files:read\r\n mails : send ,", { files: ["read"], mails: ["send"] }],
  ["files: read\nfiles: write, read", { files: ["read", "write"] }],
  ["urn: a:b", { urn: ["a:b"] }],
  ["files", undefined],
  ["files:", undefined],
  [": read", undefined],
])("reads permissions from %j: %j", (text, permissions) => {
  expect(readPermissions(text)).toEqual(permissions);
});

test("accepts a resource with the name of an object's built-in member", () => {
  expect(Object.entries(readPermissions("__proto__: read") ?? {})).toEqual([
    ["__proto__", ["read"]],
  ]);
});
