import { expect, test } from "vitest";
import type { ApiKeyRow } from "../db/key-row.ts";
import { showKey } from "./show-key.ts";

const row: ApiKeyRow = {
  id: "the-key",
  name: null,
  start: null,
  prefix: null,
  userId: "the-user",
  refillInterval: null,
  refillAmount: null,
  lastRefillAt: null,
  enabled: true,
  disabledByAdmin: false,
  createdBy: null,
  lifetimeFrom: null,
  lifetimeLocked: false,
  secondFactor: null,
  sessionSince: null,
  successorId: null,
  organizationId: null,
  rateLimitEnabled: true,
  rateLimitTimeWindow: null,
  rateLimitMax: null,
  requestCount: 0,
  remaining: null,
  lastRequest: null,
  expiresAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  permissions: null,
  metadata: null,
};

test.each([
  [true, false, true],
  [true, true, false],
  [false, false, false],
  [false, true, false],
])(
  "a key with enabled by its owner %s and disabled by an admin %s is enabled: %s",
  (enabled, disabledByAdmin, shown) => {
    expect(showKey({ ...row, enabled, disabledByAdmin })).toMatchObject({ enabled: shown });
  },
);

test("shows its owner the original metadata, and not who disabled the key", () => {
  const shown = showKey({ ...row, metadata: '{"plan":["a",null]}' });
  expect(shown.metadata).toStrictEqual({ plan: ["a", null] });
  expect(shown).not.toHaveProperty("disabledByAdmin");
  expect(showKey(row).metadata).toBeNull();
});

test.each([
  ['{"plan":"free"}', { plan: "free" }],
  ['"{\\"plan\\":\\"free\\"}"', { plan: "free" }],
  ['"[1,\\"2\\"]"', [1, "2"]],
  ['{"plan":"{}"}', { plan: "{}" }],
  ["null", null],
  ['"null"', null],
  ["no JSON", null],
  ['"no JSON"', null],
  ['{"plan":', null],
  ["", null],
])("shows metadata stored as %s as %j", (metadata, shown) => {
  expect(showKey({ ...row, metadata }).metadata).toStrictEqual(shown);
});
