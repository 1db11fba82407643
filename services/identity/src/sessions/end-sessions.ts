import type { EventData } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Ends the sessions of a user who is gone, should the deletion have died before it did so itself. */
export const endSessions = (
  deps: Pick<Deps, "sessions">,
  { userId }: EventData<"user.deleted">,
): Promise<void> =>
  deps.sessions.revokeAll(userId, undefined, {
    actor: { kind: "system" },
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
  });
