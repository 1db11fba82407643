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
  subject: { kind: "user", id: "t" },
  action: "user.updated",
  caller,
};
const afterOf = (given: Partial<AuditEntry>) =>
  auditRow({ clock: () => 0 }, { ...entry, ...given }).after;

test.each([
  [undefined, '{"viaApiKey":"k"}'],
  [{ name: "new" }, '{"name":"new","viaApiKey":"k"}'],
  [{ viaApiKey: "another" }, '{"viaApiKey":"k"}'],
])("adds the API key's id to the after state %j", (after, told) => {
  expect(afterOf({ caller: { ...caller, apiKeyId: "k" }, ...(after && { after }) })).toBe(told);
});

test("leaves the after state unchanged without an API key", () => {
  expect(afterOf({ after: { name: "new" } })).toBe('{"name":"new"}');
  expect(afterOf({})).toBeNull();
});
