import { isAdmin, type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { createSession, type CreateSessionNeeds } from "../sessions/create-session.ts";
import { findUser } from "../users/find-user.ts";
import { checkReach } from "./reach.ts";

const { permission } = operations.identity.adminImpersonateUser;
type AdminImpersonateUser = typeof operations.identity.adminImpersonateUser;

/** Signs an admin in as another user for a limited time. The browser keeps the admin's own session, which stays valid. */
export const impersonateUser = async (
  deps: CreateSessionNeeds,
  call: Call<AdminImpersonateUser>,
): Promise<Answer<OperationReply<AdminImpersonateUser>>> => {
  const { body, caller, session: current } = call;
  const { admin } = deps.config;
  const adminId = current.user.id;
  const target = await findUser(deps, { id: body.userId });
  if (!target) throw new WireError("USER_NOT_FOUND");
  if (target.id === adminId) throw new WireError("YOU_CANNOT_IMPERSONATE_YOURSELF");
  if (isAdmin(admin, target) && !admin.allowImpersonatingAdmins)
    throw new WireError("YOU_CANNOT_IMPERSONATE_ADMINS");
  checkReach(deps, call, { permission, target });
  const created = await createSession(deps, target, {
    caller,
    proof: { methods: [] },
    remember: false,
    impersonation: { adminId, seconds: admin.impersonationSessionDuration },
  });
  if (!created) throw new WireError("FAILED_TO_CREATE_USER", { status: 500 });
  const { session, user, effect } = created;
  return { reply: { session, user }, effect: { ...effect, parks: true } };
};
