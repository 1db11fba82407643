import type { EventData } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Ends the sessions of a deleted user, in case the process died before it did so. */
export const endSessions = (
  deps: Pick<Deps, "sessions">,
  { userId }: EventData<"user.deleted">,
): Promise<void> =>
  deps.sessions.revokeAll(userId, undefined, {
    actor: { kind: "system" },
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
  });
