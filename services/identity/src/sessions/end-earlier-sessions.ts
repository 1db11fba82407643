import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

const batchSize = 1_000;

/**
 * Ends the sessions that a change of their user demanded to end, should it have died before it did so itself. Those that
 * were started since go on: whoever signs in right after a change of password is not thrown out by its late event.
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
