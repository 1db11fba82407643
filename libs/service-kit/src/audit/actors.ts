import type { Caller } from "@latchkey/contracts";
import type { AuditEntry } from "./append-audit.ts";

/** Returns the audit actor of a service that calls without a session. */
export const serviceActor = ({ service }: Pick<Caller, "service">): AuditEntry["actor"] => ({
  kind: "service",
  ...(service === undefined ? {} : { id: service }),
});

/** Returns the audit actor of a session: its user, or the admin who impersonates the user. */
export const sessionActor = ({
  session,
}: {
  session: { userId: string; impersonatedBy?: string | null | undefined };
}): AuditEntry["actor"] => ({
  kind: "user",
  id: session.impersonatedBy ?? session.userId,
});
