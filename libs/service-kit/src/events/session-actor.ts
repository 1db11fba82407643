import type { AuditEntry } from "../audit/append-audit.ts";

/** Who acts in a session, for the audit: its user, or the admin who impersonates them. */
export const sessionActor = ({
  session,
}: {
  session: { userId: string; impersonatedBy?: string | null | undefined };
}): AuditEntry["actor"] => ({
  kind: "user",
  id: session.impersonatedBy ?? session.userId,
});
