import type { Caller } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { type AuditEntry, auditRow } from "./append-audit.ts";

const caller: Caller = {
  requestId: "r",
  operation: "any",
  baseUrl: "",
  address: "192.0.2.1",
  userAgent: "",
};
const entry: AuditEntry = {
  actor: { kind: "user", id: "u" },
  subject: { kind: "thing", id: "t" },
  action: "thing.changed",
  caller,
};
const afterOf = (given: Partial<AuditEntry>) =>
  auditRow({ clock: () => 0 }, { ...entry, ...given }).after;

test.each([
  [undefined, '{"viaApiKey":"k"}'],
  [{ name: "new" }, '{"name":"new","viaApiKey":"k"}'],
  [{ viaApiKey: "another" }, '{"viaApiKey":"k"}'],
])("what was done by a key is told with its id, beside %j", (after, told) => {
  expect(afterOf({ caller: { ...caller, apiKeyId: "k" }, ...(after && { after }) })).toBe(told);
});

test("what was done without one is told as it is", () => {
  expect(afterOf({ after: { name: "new" } })).toBe('{"name":"new"}');
  expect(afterOf({})).toBeNull();
});
