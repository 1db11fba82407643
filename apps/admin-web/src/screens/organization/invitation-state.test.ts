import { expect, test } from "vitest";
import { invitationState } from "./invitation-state.ts";

const now = new Date("2026-06-01T12:00:00Z");
const [before, after] = ["2026-06-01T11:59:59Z", "2026-06-01T12:00:01Z"];

test.each([
  ["pending", after, "Pending", true],
  ["pending", before, "Expired", false],
  ["accepted", before, "Accepted", false],
  ["rejected", after, "Rejected", false],
  ["canceled", after, "Canceled", false],
] as const)("an invitation that is %s until %s is %s", (status, expiresAt, label, isOpen) => {
  expect(invitationState({ status, expiresAt }, now)).toMatchObject({ label, isOpen });
});
