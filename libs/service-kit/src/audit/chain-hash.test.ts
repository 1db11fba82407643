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

test("an entry has one text: its members in one order, and its states as Postgres writes them", () => {
  expect(canonicalEntry(row)).toBe(`${members},"after":{"b": 1.10, "aa": {"": [true, null]}}}`);
});

test("the order in which a row is given makes no difference", () => {
  const turned = Object.fromEntries(Object.entries(row).toReversed()) as unknown as AuditText;
  expect(canonicalEntry(turned)).toBe(canonicalEntry(row));
});

test("a row without a state has another text than one whose state is null", () => {
  const without = { ...row, before: null, after: null };
  expect(canonicalEntry(without)).toBe(`${members}}`);
  expect(canonicalEntry({ ...without, before: "null" })).toBe(`${members},"before":null}`);
  expect(canonicalEntry({ ...without, after: "null" })).toBe(`${members},"after":null}`);
});

test("every member makes a difference", () => {
  const texts = Object.keys(row).map((name) =>
    canonicalEntry({ ...row, [name]: name === "id" ? 8 : "{}" }),
  );
  expect(new Set([...texts, canonicalEntry(row)]).size).toBe(Object.keys(row).length + 1);
});

test("a hash is of the one before and of the entry's bytes in UTF-8", () => {
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
