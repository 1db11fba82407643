import type { OperationReply, operations } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { adminActor } from "./admin-actor.ts";

type AdminRevokeUserSession = typeof operations.identity.adminRevokeUserSession;

/** Ends a session by its token, whoever's it is; a token that opens none is as good as ended. */
export const revokeUserSession = async (
  deps: Pick<Deps, "sessions">,
  call: Call<AdminRevokeUserSession>,
): Promise<Answer<OperationReply<AdminRevokeUserSession>>> => {
  const found = await deps.sessions.find(hashToken(call.body.sessionToken));
  if (found)
    await deps.sessions.revoke(found.session, {
      actor: adminActor(call),
      subject: { kind: "session", id: found.session.id },
      action: "session.revoked",
      caller: call.caller,
    });
  return { reply: { success: true } };
};
