import { expect, test } from "vitest";
import { alternativesOf } from "./alternatives-of.ts";

const id = "gjEXzKoAZhCmQzbgYhgHyjzJAHL7Vt9d";

test.each(["user.", "impersonation-link.created", "sign-in", "10", "a:b"])(
  "searches for %s in the action",
  (q) => {
    expect(alternativesOf({ q: ` ${q} `, outcome: "success" })).toEqual([
      { q, outcome: "success" },
    ]);
  },
);

test.each(["203.0.113.7", "2001:db8::1", "::1", "::ffff:203.0.113.7"])(
  "searches for the IP address %s",
  (q) => {
    expect(alternativesOf({ q: q.toUpperCase() })).toEqual([{ address: q }]);
  },
);

test.each([id, "0191f3a4-5b6c-7d8e-9f00-112233445566"])(
  "searches for the id %s of an actor, a subject or a request",
  (q) => {
    expect(alternativesOf({ q, service: "identity" })).toEqual([
      { actor: q, service: "identity" },
      { subject: q, service: "identity" },
      { request: q, service: "identity" },
    ]);
  },
);

test("searches for an action in words, and for entries by and about those whose names match", () => {
  const parties = [id];
  expect(alternativesOf({ q: "Role  changed", parties, service: "identity" })).toEqual([
    { q: "role changed", service: "identity" },
    { actor: parties, service: "identity" },
    { subject: parties, service: "identity" },
  ]);
  expect(alternativesOf({ q: "ada", parties, subject: "another" })).toEqual([
    { q: "ada", subject: "another" },
    { actor: parties, subject: "another" },
  ]);
});

test("keeps a filter for another actor", () => {
  const actor = "another";
  expect(alternativesOf({ q: id, actor })).toEqual([
    { actor, subject: id },
    { actor, request: id },
  ]);
  expect(alternativesOf({ q: "::1", address: "::2" })).toEqual([]);
});

test("has one filter without a search", () => {
  expect(alternativesOf({ outcome: "refused" })).toEqual([{ outcome: "refused" }]);
});
