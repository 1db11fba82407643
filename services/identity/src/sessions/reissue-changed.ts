import type { SessionEffect } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { reissue } from "./session-rules.ts";

type Needs = Pick<Deps, "clock" | "config" | "sessions" | "showUser">;

/**
 * Reissues the caller's own session to the browser after its user has changed. A session that ended before the change is
 * not reissued. Its session cookie cache would have the new user revision, and would be trusted although the session is
 * over. A later end of the session increments the revision again.
 */
export const reissueChanged = async (
  deps: Needs,
  { session, remembered = true }: Pick<ResolvedSession, "session" | "remembered">,
  user: UserRow,
): Promise<Extract<SessionEffect, { kind: "issue" }>> => {
  const live = { session, user: deps.showUser(user), epoch: user.revision, remembered };
  const { cached, ...bare } = reissue(deps, live);
  const isCopied = cached !== undefined && (await deps.sessions.find(hashToken(session.token)));
  return isCopied ? { ...bare, cached } : bare;
};
