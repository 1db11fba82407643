import { WireError } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { readRoles } from "./admin-rights.ts";

const options = { defaultRole: "guest", roles: { admin: {}, support: {} } };

test.each<[string | string[], string]>([
  ["admin", "admin"],
  ["guest", "guest"],
  [" admin , support", "admin,support"],
  [["support", "admin"], "support,admin"],
  [["admin", "admin", "support,admin"], "admin,support"],
])("stores %j as %j", (given, kept) => {
  expect(readRoles(options, given)).toBe(kept);
});

test.each([[""], [" "], [[]], [["admin", ""]], ["admin,"], ["nobody"], ["Admin"], ["__proto__"]])(
  "rejects %j without repeating it in the error",
  (given) => {
    const read = () => readRoles(options, given);
    expect(read).toThrow(WireError);
    expect(read).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        issues: [{ path: "role", message: "must be one or more of the configured roles" }],
      }),
    );
  },
);
