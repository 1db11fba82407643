import { initialOf } from "@latchkey/service-kit/database";
import { expect, test } from "vitest";
import { sessionColumns } from "../../db/tables.ts";
import { sessionFromTexts, sessionToTexts } from "./session-texts.ts";
import type { StoredSession } from "./session-store.ts";

const session: StoredSession = {
  ...initialOf(sessionColumns),
  id: "s1",
  tokenHash: Buffer.from("00ff10", "hex"),
  tokenSealed: "v1.x",
  userId: "u1",
  expiresAt: new Date("2026-11-22T01:02:03.450Z"),
  createdAt: new Date("2026-11-22T01:02:03.000Z"),
  updatedAt: new Date("2026-11-22T01:02:03.007Z"),
  ipAddress: "::1",
  userAgent: 'a "b" \\ \u2028',
  activeOrganizationId: "o1",
  remembered: false,
  extra: { plan: "b", seats: 2 },
};

test("writes a session as Postgres writes its row, and reads it back", () => {
  const row = sessionToTexts(session);
  expect(row).toMatchObject({
    token_hash: "\\x00ff10",
    expires_at: "2026-11-22 01:02:03.45+00",
    created_at: "2026-11-22 01:02:03+00",
    updated_at: "2026-11-22 01:02:03.007+00",
    extra: '{"plan":"b","seats":2}',
    revoked_at: null,
    remembered: "false",
  });
  expect(sessionFromTexts(row)).toEqual(session);
});

test("reads a row of an earlier version without the later columns", () => {
  const {
    impersonated_by: _,
    active_organization_id: _none,
    remembered: _unsaid,
    extra: _empty,
    ...row
  } = sessionToTexts(session);
  expect(sessionFromTexts(row)).toEqual({
    ...session,
    activeOrganizationId: null,
    remembered: true,
    extra: {},
  });
});
