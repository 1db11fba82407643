import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { startImpersonation } from "./start-impersonation.ts";

type AdminImpersonateUser = typeof operations.identity.adminImpersonateUser;

/** Signs an admin in as another user for a limited time. The browser keeps the admin's own session, which stays valid. */
export const impersonateUser = async (
  deps: CreateSessionNeeds,
  call: Call<AdminImpersonateUser>,
): Promise<Answer<OperationReply<AdminImpersonateUser>>> => {
  const { session, user, effect } = await startImpersonation(deps, call, call.body);
  return { reply: { session, user }, effect };
};
