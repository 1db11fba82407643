import type { Caller, Session, SessionEffect } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { reissue } from "./session-rules.ts";

type Needs = Pick<Deps, "clock" | "config" | "sessions" | "showUser">;

/**
 * Gives the browser its own session again after its user has changed. A session that ended before the change gets no copy: of
 * the user's new epoch, it would be believed although the session is over. Whatever ends it later moves the user on again.
 */
export const reissueChanged = async (
  deps: Needs,
  { session, user }: { session: Session; user: UserRow },
  caller: Caller,
): Promise<Extract<SessionEffect, { kind: "issue" }>> => {
  const shown = { session, user: deps.showUser(user), epoch: user.revision };
  const { cached, ...bare } = reissue(deps, shown, caller);
  const isCopied = cached !== undefined && (await deps.sessions.find(hashToken(session.token)));
  return isCopied ? { ...bare, cached } : bare;
};
