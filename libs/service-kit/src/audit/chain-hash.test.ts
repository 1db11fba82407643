import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type AuditText, canonicalEntry, firstHash, nextHash } from "./chain-hash.ts";

const row: AuditText = {
  id: 7,
  occurredAt: "2030-01-02T03:04:05.678Z",
  actorKind: "user",
  actorId: 'a"\\\n\u001f\u007f\u2028é',
  subjectKind: "session",
  subjectId: "s1",
  action: "session.created",
  outcome: "success",
  address: "192.0.2.1",
  requestId: "r1",
  before: null,
  after: '{"b": 1.10, "aa": {"": [true, null]}}',
};
const members =
  '{"id":7,"occurredAt":"2030-01-02T03:04:05.678Z","actorKind":"user","actorId":"a\\"\\\\\\n\\u001f\u007f\u2028é",' +
  '"subjectKind":"session","subjectId":"s1","action":"session.created","outcome":"success","address":"192.0.2.1","requestId":"r1"';

test("serializes an entry with a fixed member order and states as Postgres writes them", () => {
  expect(canonicalEntry(row)).toBe(`${members},"after":{"b": 1.10, "aa": {"": [true, null]}}}`);
});

test("ignores the member order of the given row", () => {
  const turned = Object.fromEntries(Object.entries(row).toReversed()) as unknown as AuditText;
  expect(canonicalEntry(turned)).toBe(canonicalEntry(row));
});

test("distinguishes a missing state from a null state", () => {
  const without = { ...row, before: null, after: null };
  expect(canonicalEntry(without)).toBe(`${members}}`);
  expect(canonicalEntry({ ...without, before: "null" })).toBe(`${members},"before":null}`);
  expect(canonicalEntry({ ...without, after: "null" })).toBe(`${members},"after":null}`);
});

test("includes every member in the text", () => {
  const texts = Object.keys(row).map((name) =>
    canonicalEntry({ ...row, [name]: name === "id" ? 8 : "{}" }),
  );
  expect(new Set([...texts, canonicalEntry(row)]).size).toBe(Object.keys(row).length + 1);
});

test("hashes the previous hash and the entry's UTF-8 bytes", () => {
  const one = createHash("sha256").update(Buffer.alloc(32)).update(Buffer.from("é{}")).digest();
  expect(nextHash(firstHash, "é{}")).toEqual(one);
  const two = createHash("sha256")
    .update(Buffer.concat([one, Buffer.from("{}")]))
    .digest();
  expect(nextHash(one, "{}")).toEqual(two);
  expect(nextHash(firstHash, "{}").toString("hex")).toBe(
    createHash("sha256")
      .update(`${"\0".repeat(32)}{}`)
      .digest("hex"),
  );
});
