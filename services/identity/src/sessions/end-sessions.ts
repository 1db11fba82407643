import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

interface SessionsEnd extends Pick<AuditEntry, "actor" | "caller"> {
  userId: string;
  /** The hash of the token of the session that stays. */
  except?: Buffer | undefined;
}

/** Ends all sessions of a user, or all but one, and records it. Follows the commit of the fact that ends them. */
export const endSessions = (
  deps: Pick<Deps, "sessions">,
  { userId, except, ...by }: SessionsEnd,
): Promise<void> =>
  deps.sessions.revokeAll(userId, except, {
    ...by,
    subject: { kind: "user", id: userId },
    action: except ? "session.revoked-others" : "session.revoked-all",
  });

const batchSize = 1_000;

/**
 * Ends the sessions that a change of their user must end, in case the process died before it did so. Keeps sessions
 * started since, so that the late event of a password change does not end a new sign-in.
 */
export const endEarlierSessions = async (
  deps: Pick<Deps, "clock" | "sessions">,
  { data: { userId, exceptHash }, occurredAt }: Event<"session.revoked-all">,
): Promise<void> => {
  const demandedAt = new Date(occurredAt);
  const findDue = async () => {
    const stored = await deps.sessions.list(userId, new Date(deps.clock()), batchSize);
    return stored.filter(
      ({ createdAt, tokenHash }) =>
        createdAt <= demandedAt && tokenHash.toString("hex") !== exceptHash,
    );
  };
  for (let due = await findDue(); due.length > 0; due = await findDue())
    for (const session of due)
      await deps.sessions.revoke(session, {
        actor: { kind: "system" },
        subject: { kind: "session", id: session.id },
        action: "session.revoked",
      });
};
