import { isAdmin, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { createSession, type CreateSessionNeeds } from "../sessions/create-session.ts";
import { findUser } from "../users/find-user.ts";

type AdminImpersonateUser = typeof operations.identity.adminImpersonateUser;

/**
 * Signs an admin in as somebody else for a short while. The browser keeps the admin's own session aside, which lives on; so
 * that it is the one to go back to, nobody impersonates out of an impersonation.
 */
export const impersonateUser = async (
  deps: CreateSessionNeeds,
  { body, caller, session: current }: Call<AdminImpersonateUser>,
): Promise<Answer<OperationReply<AdminImpersonateUser>>> => {
  const { admin } = deps.config;
  const adminId = current.user.id;
  if (current.session.impersonatedBy) throw new WireError("YOU_ARE_ALREADY_IMPERSONATING_A_USER");
  const target = await findUser(deps, { id: body.userId });
  if (!target) throw new WireError("USER_NOT_FOUND");
  if (target.id === adminId) throw new WireError("YOU_CANNOT_IMPERSONATE_YOURSELF");
  if (isAdmin(admin, target) && !admin.allowImpersonatingAdmins)
    throw new WireError("YOU_CANNOT_IMPERSONATE_ADMINS");
  const created = await createSession(deps, target, {
    caller,
    remember: false,
    impersonation: { adminId, seconds: admin.impersonationSessionDuration },
  });
  if (!created) throw new WireError("FAILED_TO_CREATE_USER", { status: 500 });
  const { session, user, effect } = created;
  return { reply: { session, user }, effect: { ...effect, parks: true } };
};
