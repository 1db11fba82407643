import type { AuditEntry } from "../audit/append-audit.ts";

/** Returns the audit actor of a session: its user, or the admin who impersonates the user. */
export const sessionActor = ({
  session,
}: {
  session: { userId: string; impersonatedBy?: string | null | undefined };
}): AuditEntry["actor"] => ({
  kind: "user",
  id: session.impersonatedBy ?? session.userId,
});
