import { createSecretRing, signValue } from "@latchkey/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { userColumnsWith } from "../rows/columns.ts";
import { readPlace, writePlace } from "./list-place.ts";
import type { ListOrder } from "./list-range.ts";

const ring = createSecretRing(["a secret for tests, and for nothing else"]);
const columns = userColumnsWith({});

const order = (name: string, direction: ListOrder["direction"] = "asc"): ListOrder => {
  const column = columns.get(name);
  if (!column) throw new Error(`there is no column ${name}`);
  return { column, direction };
};
const byName = order("name");
const place = { key: "ada", id: "a" };

test("reads any written position, percent-encoded or not, within the contract's limits", () => {
  const anyKey = fc.option(fc.string({ unit: "grapheme", maxLength: 50 }));
  fc.assert(
    fc.property(anyKey, fc.string({ maxLength: 64 }), (key, id) => {
      const cursor = writePlace(ring, byName, { key, id });
      expect(readPlace(ring, byName, cursor)).toEqual({ key, id });
      expect(readPlace(ring, byName, decodeURIComponent(cursor))).toEqual({ key, id });
    }),
  );
});

test("fits the longest key into a cursor that the contract allows", () => {
  const cursor = writePlace(ring, byName, { key: "𝒜".repeat(100), id: "x".repeat(64) });
  expect(cursor.length).toBeLessThanOrEqual(1024);
  const email = writePlace(ring, order("email"), { key: "x".repeat(320), id: "x".repeat(64) });
  expect(email.length).toBeLessThanOrEqual(1024);
});

test("opens a cursor after a rotation of secrets", () => {
  const rotated = createSecretRing(["another secret", ...ring.all]);
  expect(readPlace(rotated, byName, writePlace(ring, byName, place))).toEqual(place);
});

describe("reads no position from", () => {
  const written = writePlace(ring, byName, place);
  const signed = (text: string) => signValue(ring, Buffer.from(text).toString("base64url"));
  test.each([
    ["the cursor of another column", writePlace(ring, order("email"), place)],
    ["the cursor of the other direction", writePlace(ring, order("name", "desc"), place)],
    [
      "a column whose type has changed",
      writePlace(ring, { ...byName, column: { ...byName.column, type: "number" } }, place),
    ],
    ["garbage", "garbage"],
    ["nothing", ""],
    ["a cursor cut short", written.slice(0, -5)],
    ["a modified cursor", `A${written.slice(1)}`],
    ["a cursor of another secret", writePlace(createSecretRing(["another"]), byName, place)],
    // A session cookie is signed with the same secret.
    ["another signed text", signValue(ring, "abcdefghijklmnopqrstuvwxyzABCDEF")],
    ["signed JSON of another kind", signed("{}")],
    ["a signed list of another kind", signed('["name","name","asc","ada","a"]')],
  ])("%s", (_, cursor) => {
    expect(readPlace(ring, byName, cursor)).toBeUndefined();
  });
});
