import { expect, test } from "vitest";
import { userData } from "./admin-schemas.ts";

test.each([
  ["2030-01-02T03:04:05Z", true],
  ["9999-12-31T23:59:59Z", true],
  ["9999-12-31T23:59:59-01:00", false],
])("a ban until %s is accepted: %s", (banExpires, accepted) => {
  expect(userData.safeParse({ banExpires }).success).toBe(accepted);
});
