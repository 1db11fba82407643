import { expect, test } from "vitest";
import { readBody } from "./read-body.ts";

const form = "a=1&a=2&callbackURL=%2Fx";
const multipart =
  '--limit\r\ncontent-disposition: form-data; name="email"\r\n\r\na@b.co\r\n' +
  '--limit\r\ncontent-disposition: form-data; name="email"\r\n\r\nc@d.co\r\n--limit--\r\n';

test.each([
  ["application/json", '{"a":1}', { a: 1 }],
  ["Application/JSON; charset=utf-8", "[1]", [1]],
  ["application/x-www-form-urlencoded", form, { a: "2", callbackURL: "/x" }],
  ["multipart/form-data; boundary=limit", multipart, { email: "c@d.co" }],
])("reads a body of %s", async (type, body, value) => {
  expect(await readBody(type, Buffer.from(body))).toEqual(value);
});

test.each([
  ["application/x-www-form-urlencoded", "a&".repeat(1_001)],
  ["multipart/form-data; boundary=limit", multipart.repeat(600)],
])("rejects a body of %s with too many fields before parsing", async (type, body) => {
  await expect(async () => readBody(type, Buffer.from(body))).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

test("reads JSON if only JSON is accepted", async () => {
  const body = Buffer.from('{"a":1}');
  expect(await readBody("Application/JSON", body, { jsonOnly: true })).toEqual({ a: 1 });
});

test.each([
  ["application/x-www-form-urlencoded", form],
  ["multipart/form-data; boundary=limit", multipart],
  ["text/plain", "{}"],
  [undefined, "{}"],
])("rejects %s if only JSON is accepted", async (type, body) => {
  const bytes = Buffer.from(body);
  await expect(async () => readBody(type, bytes, { jsonOnly: true })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

test("returns undefined without a body", () => {
  expect(readBody("application/json", undefined)).toBeUndefined();
  expect(readBody(undefined, Buffer.alloc(0))).toBeUndefined();
});

test.each([
  ["application/json", "{"],
  ["application/json", '{"a":1}x'],
  ["application/vnd.api+json", "{}"],
  ["text/plain", "{}"],
  [undefined, "{}"],
  ["multipart/form-data", multipart],
  ["multipart/form-data; boundary=other", multipart],
])("rejects %s with %j as invalid input", async (type, body) => {
  await expect(async () => readBody(type, Buffer.from(body))).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
