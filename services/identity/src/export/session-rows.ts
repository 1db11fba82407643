import type { TextRow } from "@latchkey/service-kit";
import type { FieldValues } from "../fields/field-set.ts";
import type { StoredSession } from "../sessions/session-store.ts";

// Converts a session in Redis to the row that it would be in Postgres, with each value in Postgres's text form.

const instant = (at: Date): string =>
  `${at
    .toISOString()
    .replace("T", " ")
    .replace(/\.?0*Z$/, "")}+00`;

const timeOf = (text: string | null | undefined): Date =>
  new Date((text ?? "").replace(" ", "T").replace(/\+00$/, "Z"));

export const sessionToRow = (session: StoredSession): TextRow => ({
  id: session.id,
  token_hash: `\\x${session.tokenHash.toString("hex")}`,
  token_sealed: session.tokenSealed,
  user_id: session.userId,
  expires_at: instant(session.expiresAt),
  created_at: instant(session.createdAt),
  updated_at: instant(session.updatedAt),
  ip_address: session.ipAddress,
  user_agent: session.userAgent,
  revoked_at: null,
  impersonated_by: session.impersonatedBy,
  active_organization_id: session.activeOrganizationId,
  remembered: String(session.remembered),
  extra: JSON.stringify(session.extra),
});

export const sessionFromRow = (row: TextRow): StoredSession => ({
  id: row["id"] ?? "",
  tokenHash: Buffer.from((row["token_hash"] ?? "").slice(2), "hex"),
  tokenSealed: row["token_sealed"] ?? "",
  userId: row["user_id"] ?? "",
  expiresAt: timeOf(row["expires_at"]),
  createdAt: timeOf(row["created_at"]),
  updatedAt: timeOf(row["updated_at"]),
  ipAddress: row["ip_address"] ?? "",
  userAgent: row["user_agent"] ?? "",
  impersonatedBy: row["impersonated_by"] ?? null,
  activeOrganizationId: row["active_organization_id"] ?? null,
  remembered: row["remembered"] !== "false",
  extra: JSON.parse(row["extra"] ?? "{}") as FieldValues,
});
