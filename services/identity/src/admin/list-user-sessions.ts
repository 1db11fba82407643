import type { OperationReply, operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionTokenPurpose } from "../sessions/create-session.ts";
import { respectAdmins } from "./respect-admins.ts";

type AdminListUserSessions = typeof operations.identity.adminListUserSessions;

/** A moment at which every session was still to expire: those that have expired since are listed too. */
const ever = new Date(0);

/**
 * The sessions of a user with their tokens, as far as they are kept: impersonations and expired ones too. One sealed under
 * a secret that is gone is left out.
 */
export const listUserSessions = async (
  deps: Pick<Deps, "config" | "db" | "ring" | "sessions" | "showSession">,
  call: Call<AdminListUserSessions>,
): Promise<Answer<OperationReply<AdminListUserSessions>>> => {
  const { userId } = call.body;
  await respectAdmins(deps, call, {
    userId,
    refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
  });
  const { defaultFindManyLimit } = deps.config.database;
  const stored = await deps.sessions.list(userId, ever, defaultFindManyLimit);
  const sessions = stored.flatMap((session) => {
    const token = unseal(deps.ring, sessionTokenPurpose, session.tokenSealed);
    return token === undefined ? [] : [deps.showSession(session, token)];
  });
  return { reply: { sessions } };
};
