import { expect, test } from "vitest";
import { stateLabel, stateNotice } from "./webhook-state.ts";

const well = { state: "active", stateReason: null, failingSince: null } as const;
const failingSince = "2026-06-01T12:00:00.000Z";

test.each([
  ["Active", undefined, well],
  ["Failing", "deliveries failed", { ...well, failingSince }],
  ["Paused", "A user paused", { ...well, state: "paused", stateReason: "user" }],
  ["Paused", "kept failing", { ...well, state: "paused", stateReason: "failures", failingSince }],
  ["Paused", "turned off", { ...well, state: "paused", stateReason: "not-allowed" }],
  ["Disabled", "410 Gone", { ...well, state: "disabled", stateReason: "gone", failingSince }],
] as const)("a webhook is %s, and the notice says %s", (label, notice, webhook) => {
  expect(stateLabel(webhook)).toBe(label);
  if (notice === undefined) expect(stateNotice(webhook)).toBeUndefined();
  else expect(stateNotice(webhook)).toContain(notice);
});
